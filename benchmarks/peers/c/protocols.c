/* How each server is spoken to: the action that a client sends, and which messages are updates and answers. */
#include "load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- MessagePack ---------------------------------------------------------------------------------------------- */

static uint8_t *put(uint8_t *out, const char *bytes, size_t size) {
    memcpy(out, bytes, size);
    return out + size;
}

#define PUT(out, literal) put(out, literal, sizeof(literal) - 1)

static uint8_t *put_uint(uint8_t *out, uint64_t value) {
    int bytes = value < 0x80 ? 0 : value < 0x10000 ? 2 : value <= 0xffffffff ? 4 : 8;
    if (bytes == 0) {
        *out++ = (uint8_t)value;
        return out;
    }
    *out++ = bytes == 2 ? 0xcd : bytes == 4 ? 0xce : 0xcf;
    for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8)
        *out++ = (uint8_t)(value >> shift);
    return out;
}

/* Read an unsigned number; return what follows it, or NULL if there is none. */
static const uint8_t *get_uint(const uint8_t *in, const uint8_t *end, uint64_t *value) {
    if (in == NULL || in >= end)
        return NULL;
    uint8_t head = *in++;
    *value = head;
    if (head < 0x80)
        return in;
    if (head < 0xcc || head > 0xcf || end - in < 1 << (head - 0xcc))
        return NULL;
    *value = 0;
    for (int left = 1 << (head - 0xcc); left > 0; left--)
        *value = *value << 8 | *in++;
    return in;
}

/* --- Warroom: arrays that begin with the message's name ------------------------------------------------------- */

static size_t warroom_act(const struct client *client, struct move move, uint8_t *out) {
    uint8_t *end = PUT(out, "\x95\xa3" "act");
    end = put_uint(end, client->room);
    end = put_uint(end, client->id);
    end = put_uint(end, client->turn);
    end = PUT(end, "\x85\xa4" "type\xa4" "move");
    end = put_uint(PUT(end, "\xa1" "f"), move.from);
    end = put_uint(PUT(end, "\xa1" "t"), move.to);
    end = put_uint(PUT(end, "\xa1" "n"), move.troops);
    end = put_uint(PUT(end, "\xa1" "k"), move.tanks);
    return (size_t)(end - out);
}

/* Return the fields after the name if the message has this name, else NULL. */
static const uint8_t *fields_of(const uint8_t *message, size_t size, const char *name) {
    size_t length = strlen(name);
    if (size < length + 2 || message[1] != (0xa0 | length) || memcmp(message + 2, name, length) != 0)
        return NULL;
    return message + 2 + length;
}

static int warroom_read(struct client *client, const uint8_t *message, size_t size) {
    const uint8_t *end = message + size, *at;
    uint64_t room, id, seat, turn;
    if (fields_of(message, size, "update") != NULL)
        return UPDATE;
    if ((at = fields_of(message, size, "verdict")) != NULL) {
        at = get_uint(get_uint(at, end, &room), end, &id);
        if (at == NULL || at >= end || id != client->id)
            return 0;
        return *at == 0xc0 ? ACCEPTED : REFUSED; /* the code, nil if accepted */
    }
    if ((at = fields_of(message, size, "prompt")) != NULL) {
        if (get_uint(get_uint(get_uint(at, end, &room), end, &seat), end, &turn) != NULL) {
            client->turn = turn;
            client->is_ready = true;
        }
    }
    return 0;
}

/* --- Colyseus: the first byte is the kind of the message ------------------------------------------------------ */

enum { COLYSEUS_DATA = 13, COLYSEUS_PATCH = 15 };

static size_t colyseus_act(const struct client *client, struct move move, uint8_t *out) {
    uint8_t *end = out;
    *end++ = COLYSEUS_DATA;
    end = PUT(end, "\xa4" "move\x85");
    end = put_uint(PUT(end, "\xa2" "id"), client->id);
    end = put_uint(PUT(end, "\xa1" "f"), move.from);
    end = put_uint(PUT(end, "\xa1" "t"), move.to);
    end = put_uint(PUT(end, "\xa1" "n"), move.troops);
    end = put_uint(PUT(end, "\xa1" "k"), move.tanks);
    return (size_t)(end - out);
}

/* A patch starts with the fields of the root: 0x80, the version, 0x81, the id; both are little-endian uint32. */
static int colyseus_read(struct client *client, const uint8_t *message, size_t size) {
    enum { ID_FIELD = 6 };
    uint32_t id;
    if (size < 1 || message[0] != COLYSEUS_PATCH)
        return 0;
    if (size < ID_FIELD + 1 + sizeof id || message[ID_FIELD] != 0x81)
        return UPDATE;
    memcpy(&id, message + ID_FIELD + 1, sizeof id);
    if (!client->is_waiting || id != client->id)
        return UPDATE;
    client->is_ready = true;
    return UPDATE | ACCEPTED;
}

/* --- boardgame.io: socket.io events as text ------------------------------------------------------------------- */

static size_t boardgameio_act(const struct client *client, struct move move, uint8_t *out) {
    return (size_t)snprintf(
        (char *)out, MOST_PAYLOAD,
        "42/tiles49,[\"update\",{\"type\":\"MAKE_MOVE\",\"payload\":{\"type\":\"move\",\"args\":[%u,%u,%u,%u,%u],"
        "\"playerID\":\"%d\"}},0,\"room%llu\",\"%d\"]",
        move.from, move.to, move.troops, move.tanks, client->id, client->seat, (unsigned long long)client->room,
        client->seat);
}

/* The answer is the update whose log holds the client's own id, the last argument of its move. */
static int boardgameio_read(struct client *client, const uint8_t *message, size_t size) {
    static const char update[] = "42/tiles49,[\"update\"";
    char own[16];
    if (size < sizeof update || memcmp(message, update, sizeof update - 1) != 0)
        return 0;
    snprintf(own, sizeof own, ",%u]", client->id);
    const char *log = client->is_waiting ? strstr((const char *)message, "\"args\":") : NULL;
    if (log != NULL && strstr(log, own) != NULL) {
        client->is_ready = true;
        return UPDATE | ACCEPTED;
    }
    return UPDATE;
}

/* Engine.io sends the text 2 and expects the text 3. */
static size_t boardgameio_heartbeat(const uint8_t *message, size_t size, uint8_t *out) {
    if (size != 1 || message[0] != '2')
        return 0;
    out[0] = '3';
    return 1;
}

/* --- the C limit: id, then the move; updates repeat the id ------------------------------------------------------ */

static size_t limit_act(const struct client *client, struct move move, uint8_t *out) {
    memcpy(out, &client->id, sizeof client->id);
    memcpy(out + sizeof client->id, &move, sizeof move);
    return sizeof client->id + sizeof move;
}

static int limit_read(struct client *client, const uint8_t *message, size_t size) {
    uint32_t id;
    if (size < sizeof id)
        return 0;
    memcpy(&id, message, sizeof id);
    if (!client->is_waiting || id != client->id)
        return UPDATE;
    client->is_ready = true;
    return UPDATE | ACCEPTED;
}

static const struct protocol PROTOCOLS[] = {
    {"warroom", 2, warroom_act, warroom_read, NULL},
    {"colyseus", 2, colyseus_act, colyseus_read, NULL},
    {"boardgameio", 1, boardgameio_act, boardgameio_read, boardgameio_heartbeat},
    {"limit", 2, limit_act, limit_read, NULL},
};

const struct protocol *find_protocol(const char *name) {
    for (size_t at = 0; at < sizeof PROTOCOLS / sizeof *PROTOCOLS; at++)
        if (strcmp(PROTOCOLS[at].name, name) == 0)
            return &PROTOCOLS[at];
    return NULL;
}
