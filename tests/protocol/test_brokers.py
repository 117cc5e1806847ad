"""The address of a broker is one URL; what is wrong with one is said without repeating it."""

import pytest

from warroom_protocol.brokers import Broker, parse_broker
from warroom_protocol.errors import BrokerUrlError


@pytest.mark.parametrize(
    ("url", "broker"),
    [
        ("mqtt://broker", Broker("broker", 1883, is_tls=False)),
        ("mqtts://broker/", Broker("broker", 8883, is_tls=True)),
        ("mqtt://127.0.0.1:21883", Broker("127.0.0.1", 21883, is_tls=False)),
        ("mqtt://[::1]:1", Broker("::1", 1, is_tls=False)),
        ("mqtts://ada:s%40fe%2F@broker:1", Broker("broker", 1, is_tls=True, user="ada", password="s@fe/")),
        ("mqtt://ada@broker", Broker("broker", 1883, is_tls=False, user="ada")),
    ],
)
def test_an_address_is_read(url: str, broker: Broker) -> None:
    assert parse_broker(url) == broker


@pytest.mark.parametrize(
    "url", ["", "broker", "http://broker", "mqtt://", "mqtt://:1883", "mqtt://b:99999", "mqtt://b:x", "mqtt://b/topic",
            "mqtt://b?x=1", "mqtt://b#x", "mqtt://[::1"]
)  # fmt: skip
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(BrokerUrlError, match="expected mqtt://"):
        parse_broker(url)


def test_nobody_reads_a_password() -> None:
    assert str(parse_broker("mqtts://ada:secret@broker")) == "mqtts://broker:8883"
    assert str(parse_broker("mqtt://ada:secret@broker")) == "mqtt://broker:1883"
    with pytest.raises(BrokerUrlError) as refused:
        parse_broker("mqtt://ada:secret@broker:port")
    assert "secret" not in str(refused.value)
