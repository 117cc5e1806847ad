"""The files for mosquitto, as they are shipped, against users that try to break them."""

import os
import pwd
import re
import shutil
import ssl
import stat
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TypedDict

import pytest
from certificates import make_certificate
from mosquitto import Mosquitto
from mqtt_subscriber import BrokerEar
from paho.mqtt.enums import MQTTProtocolVersion
from redis_server import free_port
from ruamel.yaml import YAML

ROOT = Path(__file__).parents[2]
FILES = ROOT / "deploy" / "mosquitto"
PAGE = ROOT / "docs" / "OPERATIONS.md"
HOME = "/etc/mosquitto/warroom"
PASSWORDS = {"warroom": "server's secret", "eve": "eve's secret"}
VERSIONS = [MQTTProtocolVersion.MQTTv5, MQTTProtocolVersion.MQTTv311]
STATE = "warroom/room/7/state"


class Login(TypedDict, total=False):
    """Whom a client says to be; nobody, if it says nothing."""

    user: str
    password: str


class Shipped(Mosquitto):
    """A broker that runs on the files in deploy/, in a folder and on ports of its own."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.tls_port, self.web_port = free_port(), free_port()
        text = (FILES / "mosquitto.conf").read_text().replace(HOME, str(folder))
        for line, port in (("1883 127.0.0.1", self.port), ("8883", self.tls_port), ("9001 127.0.0.1", self.web_port)):
            assert f"listener {line}\n" in text
            text = text.replace(f"listener {line}\n", f"listener {port} 127.0.0.1\n")
        self.configuration = text


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shipped]:
    folder = tmp_path_factory.mktemp("shipped")
    shutil.copy(FILES / "acl", folder / "acl")
    (folder / "acl").chmod(0o600)
    make_certificate(folder)
    (folder / "passwords").touch(0o600)
    for user, password in PASSWORDS.items():
        subprocess.run(["mosquitto_passwd", "-b", str(folder / "passwords"), user, password], check=True)
    broker = Shipped(folder)
    broker.start()
    yield broker
    broker.kill()


@pytest.fixture
def server(broker: Shipped) -> Iterator[BrokerEar]:
    """Return somebody who may publish, and hears all that there is."""
    with BrokerEar(broker.port, "warroom/#", user="warroom", password=PASSWORDS["warroom"]) as ear:
        yield ear
        for topic in ear.kept:
            ear.say(topic, b"", retain=True)


@pytest.fixture(params=[None, "eve"], ids=["without a name", "with a name"])
def user(request: pytest.FixtureRequest) -> Login:
    return {} if request.param is None else {"user": request.param, "password": PASSWORDS[request.param]}


@pytest.fixture(params=VERSIONS, ids=lambda version: version.name)
def version(request: pytest.FixtureRequest) -> MQTTProtocolVersion:
    found: MQTTProtocolVersion = request.param
    return found


def fence(server: BrokerEar, ear: BrokerEar) -> None:
    """Wait until everybody has heard all that was said before."""
    mark = str(time.monotonic_ns()).encode()
    server.say("warroom/notice", mark)
    server.until(lambda: mark in server.of("warroom/notice"))
    ear.until(lambda: mark in ear.of("warroom/notice"))


def test_everybody_hears_the_feed(
    broker: Shipped, server: BrokerEar, user: Login, version: MQTTProtocolVersion
) -> None:
    server.say(STATE, b"true", retain=True)
    with BrokerEar(broker.port, "warroom/#", version=version, **user) as ear:
        assert ear.until(lambda: ear.of(STATE)) == [b"true"]


def test_nobody_else_publishes_retains_or_takes_back(
    broker: Shipped, server: BrokerEar, user: Login, version: MQTTProtocolVersion
) -> None:
    server.say(STATE, b"true", retain=True)
    with BrokerEar(broker.port, "warroom/#", version=version, **user) as ear:
        for topic, payload in ((STATE, b"poison"), (STATE, b""), ("warroom/room/9/about", b"poison"), ("x", b"poison")):
            for retain in (True, False):
                ear.say(topic, payload, retain=retain)
        fence(server, ear)
        assert {payload for _, payload, _ in (*server.heard, *ear.heard)} & {b"poison", b""} == set()
    with BrokerEar(broker.port, "warroom/#", version=version) as late:
        late.until(lambda: late.kept)
        assert late.kept == {STATE: b"true"}


@pytest.mark.parametrize("wanted", ["#", "+/#", "+/+/+/+", "$share/all/#", "$SYS/#", "other/#"])
def test_wildcards_show_nothing_but_the_feed(
    broker: Shipped, server: BrokerEar, user: Login, version: MQTTProtocolVersion, wanted: str
) -> None:
    with BrokerEar(broker.port, wanted, "warroom/notice", version=version, **user) as ear:
        server.say("other/secret", b"secret", retain=True)
        server.say(STATE, b"true", retain=True)
        ear.say("other/secret", b"secret")
        fence(server, ear)
        assert {topic.split("/")[0] for topic, _, _ in ear.heard} == {"warroom"}


def test_a_will_on_a_topic_of_ours_keeps_its_owner_out(
    broker: Shipped, server: BrokerEar, user: Login, version: MQTTProtocolVersion
) -> None:
    evil = BrokerEar(broker.port, will=("warroom/node/x", b"poison"), version=version, **user)
    evil.vanish()
    with BrokerEar(broker.port, "warroom/#", version=version, **user) as ear:
        fence(server, ear)
        assert [topic for topic, _, _ in (*ear.heard, *server.heard) if topic != "warroom/notice"] == []


@pytest.mark.parametrize("password", ["wrong", "", None])
def test_the_name_of_the_server_is_nothing_without_its_password(
    broker: Shipped, password: str | None, version: MQTTProtocolVersion
) -> None:
    ear = BrokerEar(broker.port, user="warroom", password=password, version=version)
    assert ear.refusal is not None
    ear.close()


def test_the_server_itself_is_kept_to_its_topics(broker: Shipped, server: BrokerEar) -> None:
    server.say("foreign/topic", b"secret", retain=True)
    with BrokerEar(broker.port, "#", user="warroom", password=PASSWORDS["warroom"]) as ear:
        fence(server, ear)
        assert not ear.of("foreign/topic")


def test_topics_with_wildcards_or_of_the_broker_cannot_be_published(broker: Shipped, server: BrokerEar) -> None:
    with BrokerEar(broker.port, "warroom/#") as ear:
        with pytest.raises(ValueError, match="wildcard"):
            ear.say("warroom/+/x", b"poison")
        ear.say("$SYS/broker/uptime", b"poison")
        fence(server, ear)
        assert b"poison" not in [payload for _, payload, _ in ear.heard]


# paho leaves the socket of a handshake that failed to the garbage collector, which closes it with a warning.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_other_machines_speak_tls(broker: Shipped, server: BrokerEar) -> None:
    server.say(STATE, b"true", retain=True)
    tls = ssl.create_default_context(cafile=str(broker.folder / "broker.crt"))
    with BrokerEar(broker.tls_port, "warroom/#", tls=tls) as ear:
        assert ear.until(lambda: ear.of(STATE)) == [b"true"]
    with pytest.raises(ssl.SSLError):
        BrokerEar(broker.tls_port, "warroom/#", tls=ssl.create_default_context())


class Composed(Mosquitto):
    """A broker that is started by the command of deploy/compose.yaml, in a folder and on ports of its own.

    The key is the one that the page has operators make. As in a container, root starts the broker, which becomes its
    own user before it loads the key; anybody else's broker stays theirs.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.tls_port = free_port()
        self.certificate, self.key = folder / "deploy/tls/cert.pem", folder / "deploy/tls/key.pem"
        subprocess.run(["sh", "-ec", _commands_for_a_key()], cwd=folder, check=True, capture_output=True)
        shutil.copytree(FILES, folder / "config")
        (folder / "run").mkdir()
        conf = folder / "config" / "compose.conf"
        text = conf.read_text().replace("/run/broker/", f"{folder}/run/")
        for outside, port in (("1883", self.port), ("8883", self.tls_port)):
            assert f"listener {outside}\n" in text
            text = text.replace(f"listener {outside}\n", f"listener {port} 127.0.0.1\n")
        conf.write_text(text)

    def compose(self) -> None:
        """Start it as its container does."""
        broker = YAML(typ="safe", pure=True).load(FILES.parent / "compose.yaml")["services"]["broker"]
        places = {"/mosquitto/config": "config", "/mosquitto/tls": "deploy/tls", broker["tmpfs"][0]: "run"}
        (script,) = broker["command"]
        for inside, here in places.items():
            assert inside in script
            script = script.replace(inside, str(self.folder / here))
        if os.geteuid() != 0:
            script = script.replace("chown mosquitto", f"chown {os.geteuid()}")
        self.launch(*broker["entrypoint"], script)


def _commands_for_a_key() -> str:
    """Return what docs/OPERATIONS.md says before `docker compose`, to make a certificate and its key."""
    (block,) = [
        block for block in re.findall(r"```sh\n(.*?)```", PAGE.read_text(), re.DOTALL) if "openssl req" in block
    ]
    commands, docker, _ = str(block).partition("docker compose")
    assert docker
    return commands


@pytest.fixture
def composed() -> Iterator[Composed]:
    # Not a folder of pytest's, which nobody but its owner may enter.
    with tempfile.TemporaryDirectory(prefix="warroom-compose-") as folder:
        Path(folder).chmod(0o755)
        broker = Composed(Path(folder))
        broker.compose()
        yield broker
        broker.kill()


def test_in_containers_nodes_publish_inside_and_everybody_listens_outside(composed: Composed) -> None:
    tls = ssl.create_default_context(cafile=str(composed.certificate))
    with (
        BrokerEar(composed.port, "warroom/#") as node,
        BrokerEar(composed.tls_port, "#", tls=tls, host="localhost") as outsider,
    ):
        node.say(STATE, b"true", retain=True)
        outsider.until(lambda: outsider.of(STATE))
        outsider.say(STATE, b"poison", retain=True)
        outsider.say(STATE, b"", retain=True)
        fence(node, outsider)
        assert node.of(STATE) == [b"true"]


def test_in_containers_the_broker_is_not_root_and_nobody_else_can_read_the_key(composed: Composed) -> None:
    assert composed.process is not None
    runs_as = Path(f"/proc/{composed.process.pid}").stat().st_uid
    if os.geteuid() == 0:
        assert runs_as == pwd.getpwnam("mosquitto").pw_uid
    copy = composed.folder / "run" / "key.pem"
    assert (copy.stat().st_uid, stat.S_IMODE(copy.stat().st_mode)) == (runs_as, 0o600)
    assert stat.S_IMODE(composed.key.stat().st_mode) & 0o077 == 0
