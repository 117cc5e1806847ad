/* The least that a server of this game can do: parse, check, apply, send the change to the room. limit_server PORT
 *
 * A client opens /ROOM/SEAT (seat -1: a viewer). A move is an id of four bytes, then from, to, troops, tanks; the update
 * repeats the id, then the room's version and both tiles: number, owner, troops, tanks.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { WIDTH = 7, TILES = 49, SEATS = 5, ROOMS = 512, MEMBERS = 2048, SOCKETS = 65536, EVENTS = 512, MOVE = 14 };

struct tile {
    uint8_t owner, tanks;
    uint16_t troops;
};

struct room {
    uint32_t version;
    int members, sockets[MEMBERS];
    struct tile tiles[TILES];
};

static struct room rooms[ROOMS];
static struct {
    struct room *room; /* NULL before the handshake */
    int seat;
} connections[SOCKETS];

/* The clients all send the key of RFC 6455's example, so one answer serves all. */
static const char ACCEPT[] = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                             "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";

static void open_rooms(void) {
    for (int room = 0; room < ROOMS; room++)
        for (int tile = 0; tile < TILES; tile++) {
            int row = tile / WIDTH;
            rooms[room].tiles[tile] = (struct tile){(uint8_t)(row < SEATS ? row : SEATS - 1), 60, 1000};
        }
}

static void greet(int fd, const char *request) {
    int room = 0, seat = 0;
    sscanf(request, "GET /%d/%d", &room, &seat);
    if (room < 0 || room >= ROOMS || rooms[room].members == MEMBERS) {
        close(fd);
        return;
    }
    connections[fd].room = &rooms[room];
    connections[fd].seat = seat;
    rooms[room].sockets[rooms[room].members++] = fd;
    send(fd, ACCEPT, sizeof ACCEPT - 1, MSG_NOSIGNAL);
}

static int is_near(int from, int to) {
    int dx = from % WIDTH - to % WIDTH, dy = from / WIDTH - to / WIDTH;
    return from != to && dx * dx <= 1 && dy * dy <= 1;
}

static uint8_t *put_tile(uint8_t *out, int number, const struct tile *tile) {
    *out++ = (uint8_t)number;
    *out++ = tile->owner;
    *out++ = (uint8_t)(tile->troops >> 8);
    *out++ = (uint8_t)tile->troops;
    *out++ = tile->tanks;
    return out;
}

static void play(struct room *room, int seat, const uint8_t *move) {
    int from = move[4], to = move[5], troops = move[6], tanks = move[7];
    if (from >= TILES || to >= TILES || troops > 120 || tanks > 120 || !is_near(from, to))
        return;
    struct tile *source = &room->tiles[from], *target = &room->tiles[to];
    if (source->owner != seat || target->owner != seat || source->troops <= troops || source->tanks < tanks)
        return;
    source->troops -= (uint16_t)troops;
    source->tanks -= (uint8_t)tanks;
    target->troops += (uint16_t)troops;
    target->tanks += (uint8_t)tanks;
    room->version++;
    uint8_t frame[64], *end = frame + 2;
    memcpy(end, move, 4);
    memcpy(end + 4, &room->version, 4);
    end = put_tile(put_tile(end + 8, from, source), to, target);
    frame[0] = 0x82;
    frame[1] = (uint8_t)(end - frame - 2);
    for (int at = 0; at < room->members; at++)
        send(room->sockets[at], frame, (size_t)(end - frame), MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* Clients send whole frames with one move each; a longer read holds several. */
static void read_moves(int fd, const uint8_t *data, ssize_t size) {
    for (const uint8_t *frame = data; frame + MOVE <= data + size; frame += MOVE) {
        uint8_t move[8];
        if (frame[0] != 0x82 || frame[1] != (0x80 | sizeof move))
            return;
        for (size_t at = 0; at < sizeof move; at++)
            move[at] = frame[6 + at] ^ frame[2 + at % 4];
        play(connections[fd].room, connections[fd].seat, move);
    }
}

static void leave(int fd) {
    struct room *room = connections[fd].room;
    for (int at = 0; room != NULL && at < room->members; at++)
        if (room->sockets[at] == fd)
            room->sockets[at] = room->sockets[--room->members];
    connections[fd].room = NULL;
    close(fd);
}

static void serve(int fd) {
    static uint8_t data[65536];
    ssize_t size = recv(fd, data, sizeof data - 1, 0);
    if (size <= 0) {
        leave(fd);
        return;
    }
    data[size] = 0;
    if (connections[fd].room == NULL)
        greet(fd, (const char *)data);
    else
        read_moves(fd, data, size);
}

int main(int count, char **arguments) {
    int one = 1, listener = socket(AF_INET, SOCK_STREAM, 0), poller = epoll_create1(EPOLL_CLOEXEC);
    uint16_t port = count == 2 ? (uint16_t)atoi(arguments[1]) : 0;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 4096) != 0) {
        perror("limit_server");
        return 1;
    }
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, events[EVENTS];
    epoll_ctl(poller, EPOLL_CTL_ADD, listener, &event);
    open_rooms();
    puts("ready");
    fflush(stdout);
    for (;;) {
        int ready = epoll_wait(poller, events, EVENTS, -1);
        for (int at = 0; at < ready; at++) {
            if (events[at].data.fd != listener) {
                serve(events[at].data.fd);
                continue;
            }
            int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
            if (fd < 0 || fd >= SOCKETS)
                continue;
            setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
            event.data.fd = fd;
            epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event);
        }
    }
}
