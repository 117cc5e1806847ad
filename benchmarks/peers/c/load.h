/* What the load generator and the protocols of the servers share. */
#ifndef WARROOM_LOAD_H
#define WARROOM_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    BOARD_WIDTH = 7,
    SEATS = 5,
    MOST_PAYLOAD = 4096, /* of one message that we send */
};

/* One connection. Its socket is connected and seated before the generator starts. */
struct client {
    int fd;
    int seat;       /* negative: a viewer, which only reads */
    uint64_t room;  /* the server's number for the room */
    uint64_t turn;  /* Warroom: the turn token of the next action */
    uint32_t id;    /* of the last action */
    uint32_t moves; /* actions sent so far */
    bool is_ready;  /* the server expects an action */
    bool is_waiting;
    bool is_sender; /* of the load that runs */
    uint64_t sent_ns;
    uint8_t *buffer;
    size_t length, capacity;
};

/* The same move for every server: troops and tanks go to the next tile of the seat's row, then back. */
struct move {
    uint8_t from, to, troops, tanks;
};

/* What a message means to the generator; one message can be several of these. */
enum {
    UPDATE = 1,   /* a change of the board */
    ACCEPTED = 2, /* the answer to this client's action */
    REFUSED = 4,
};

/* How one server is spoken to. */
struct protocol {
    const char *name;
    int opcode; /* of the messages that it sends and reads: 1 text, 2 binary */
    /* Write an action and return its size. */
    size_t (*act)(const struct client *client, struct move move, uint8_t *out);
    /* Return what a message means. *message* ends with a zero byte that does not belong to it. */
    int (*read)(struct client *client, const uint8_t *message, size_t size);
    /* Answer the server's own heartbeat, if it sends one as a message; return the size of the answer, or 0. */
    size_t (*heartbeat)(const uint8_t *message, size_t size, uint8_t *out);
};

const struct protocol *find_protocol(const char *name);

#endif
