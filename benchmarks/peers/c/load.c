/* The load generator: plays on websockets that it inherits, and reports what that cost the server.
 *
 *   load PROTOCOL CLIENTS SERVER_PID STORE_PID
 *
 * CLIENTS is a file with one line per socket: descriptor, room, seat (-1: viewer), turn token, whether it may act.
 * STORE_PID is 0 where there is no store. Commands come on standard input, one line each, and are answered with one
 * line of JSON; the generator answers pings in between, and it ends when standard input does.
 *
 *   closed SECONDS FIRST COUNT SENDERS    the first SENDERS seats of every room act as soon as they were answered
 *   lockstep SECONDS FIRST COUNT          one seat acts, everyone of the clients gets the update, then the next acts
 */
#define _GNU_SOURCE
#include "load.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MOST_CLIENTS = 20000, EVENTS = 512, LEAST_ROOM = 4096, HEADER = 8 };
static const uint64_t SECOND = 1000000000, PATIENCE = 30 * 1000000000ull;

/* Counters of the window that is measured; `answers` holds the times from action to answer in microseconds. */
static struct {
    uint64_t accepted, refused, updates, update_bytes, bytes;
    float *answers;
    size_t answered, room;
} window;

static const struct protocol *protocol;
static struct client clients[MOST_CLIENTS];
static size_t client_count;
static uint64_t all_updates, all_accepted, failures;
static int poller;
static bool is_open; /* a window is measured */
static bool is_closed_loop;

static uint64_t now_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * SECOND + (uint64_t)time.tv_nsec;
}

/* User and system time of all threads of a process. */
static uint64_t cpu_ns(int pid) {
    clockid_t clock;
    struct timespec time;
    if (pid == 0 || clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &time) != 0)
        return 0;
    return (uint64_t)time.tv_sec * SECOND + (uint64_t)time.tv_nsec;
}

/* --- websocket frames ------------------------------------------------------------------------------------------- */

static void send_frame(struct client *client, int opcode, const uint8_t *payload, size_t size) {
    static uint8_t frame[MOST_PAYLOAD + 16];
    static const uint8_t mask[4] = {1, 2, 3, 4};
    size_t head = 2;
    frame[0] = (uint8_t)(0x80 | opcode);
    if (size < 126) {
        frame[1] = (uint8_t)(0x80 | size);
    } else {
        frame[1] = 0x80 | 126;
        frame[2] = (uint8_t)(size >> 8);
        frame[3] = (uint8_t)size;
        head = 4;
    }
    memcpy(frame + head, mask, sizeof mask);
    head += sizeof mask;
    for (size_t at = 0; at < size; at++)
        frame[head + at] = payload[at] ^ mask[at & 3];
    if (send(client->fd, frame, head + size, MSG_NOSIGNAL) != (ssize_t)(head + size))
        failures++;
}

static void act(struct client *client) {
    uint8_t message[MOST_PAYLOAD];
    uint32_t step = client->moves / 2;
    uint8_t left = (uint8_t)(BOARD_WIDTH * client->seat + step % (BOARD_WIDTH - 1));
    bool is_back = client->moves % 2 == 1;
    struct move move = {left + is_back, left + !is_back, (uint8_t)(1 + step % 5), 1};
    client->moves++;
    client->id = (uint32_t)(client - clients + 1) << 20 | (client->moves & 0xfffff);
    client->is_ready = false;
    client->is_waiting = true;
    client->sent_ns = now_ns();
    send_frame(client, protocol->opcode, message, protocol->act(client, move, message));
}

static bool may_act(const struct client *client) {
    return client->is_ready && !client->is_waiting;
}

static void count_answer(const struct client *client) {
    window.accepted++;
    if (window.answered == window.room) {
        window.room = window.room ? 2 * window.room : 1 << 16;
        window.answers = realloc(window.answers, window.room * sizeof *window.answers);
    }
    window.answers[window.answered++] = (float)(now_ns() - client->sent_ns) / 1000;
}

static void show_refusal(const struct client *client, const uint8_t *message, size_t size) {
    fprintf(stderr, "load: seat %d, action %u, turn %" PRIu64 " was refused: ", client->seat, client->moves, client->turn);
    for (size_t at = 0; at < size; at++)
        fputc(message[at] >= ' ' && message[at] < 127 ? message[at] : '.', stderr);
    fputc('\n', stderr);
}

static void read_message(struct client *client, const uint8_t *message, size_t size) {
    uint8_t answer[MOST_PAYLOAD];
    size_t beat = protocol->heartbeat ? protocol->heartbeat(message, size, answer) : 0;
    if (beat > 0) {
        send_frame(client, protocol->opcode, answer, beat);
        return;
    }
    int meaning = protocol->read(client, message, size);
    if (meaning & UPDATE)
        all_updates++;
    if (meaning & ACCEPTED)
        all_accepted++;
    if (is_open) {
        window.bytes += size;
        if (meaning & UPDATE) {
            window.updates++;
            window.update_bytes += size;
        }
        if (meaning & ACCEPTED)
            count_answer(client);
        if (meaning & REFUSED && window.refused++ == 0)
            show_refusal(client, message, size);
    }
    if (meaning & (ACCEPTED | REFUSED))
        client->is_waiting = false;
    if (is_closed_loop && client->is_sender && may_act(client))
        act(client);
}

static void read_frame(struct client *client, int opcode, uint8_t *payload, size_t size) {
    uint8_t after = payload[size];
    payload[size] = 0; /* text can be searched with string functions */
    if (opcode == 9 && size < 126)
        send_frame(client, 10, payload, size);
    else if (opcode == 8)
        failures++;
    else if (opcode == protocol->opcode)
        read_message(client, payload, size);
    payload[size] = after;
}

/* Return the size of the header of the frame at *data*, and the size of its payload; 0 if it is not whole yet. */
static size_t frame_header(const uint8_t *data, size_t length, size_t *size) {
    size_t head = 2, bytes = 0;
    if (length < 2)
        return 0;
    *size = data[1] & 127;
    if (*size >= 126) {
        bytes = *size == 126 ? 2 : 8;
        head += bytes;
        if (length < head)
            return 0;
        *size = 0;
        for (size_t at = 0; at < bytes; at++)
            *size = *size << 8 | data[2 + at];
    }
    return length - head < *size ? 0 : head;
}

static void read_client(struct client *client) {
    for (;;) {
        if (client->capacity - client->length < LEAST_ROOM) {
            client->capacity *= 2;
            client->buffer = realloc(client->buffer, client->capacity + HEADER);
        }
        size_t room = client->capacity - client->length;
        ssize_t got = recv(client->fd, client->buffer + client->length, room, 0);
        if (got < 0 && (errno == EAGAIN || errno == EINTR))
            return;
        if (got <= 0) {
            failures++;
            epoll_ctl(poller, EPOLL_CTL_DEL, client->fd, NULL);
            return;
        }
        client->length += (size_t)got;
        size_t done = 0, size, head;
        while ((head = frame_header(client->buffer + done, client->length - done, &size)) > 0) {
            read_frame(client, client->buffer[done] & 15, client->buffer + done + head, size);
            done += head + size;
        }
        memmove(client->buffer, client->buffer + done, client->length - done);
        client->length -= done;
        if ((size_t)got < room)
            return;
    }
}

/* Read what arrived; return whether a command waits on standard input. */
static bool poll_once(int timeout_ms) {
    struct epoll_event events[EVENTS];
    bool is_told = false;
    int count = epoll_wait(poller, events, EVENTS, timeout_ms);
    for (int at = 0; at < count; at++) {
        if (events[at].data.ptr == NULL)
            is_told = true;
        else
            read_client(events[at].data.ptr);
    }
    return is_told;
}

/* --- the loads ---------------------------------------------------------------------------------------------------- */

struct costs {
    uint64_t at, server, store, own;
};

static struct costs costs_now(const int *pids) {
    return (struct costs){now_ns(), cpu_ns(pids[0]), cpu_ns(pids[1]), cpu_ns(getpid())};
}

static struct costs open_window(const int *pids) {
    float *answers = window.answers;
    size_t room = window.room;
    memset(&window, 0, sizeof window);
    window.answers = answers;
    window.room = room;
    is_open = true;
    return costs_now(pids);
}

static struct costs close_window(const int *pids) {
    is_open = false;
    return costs_now(pids);
}

static int compare(const void *one, const void *other) {
    float a = *(const float *)one, b = *(const float *)other;
    return (a > b) - (a < b);
}

static double quantile(double share) {
    return window.answered ? (double)window.answers[(size_t)((double)(window.answered - 1) * share)] : 0;
}

static void report(struct costs began, struct costs ended) {
    qsort(window.answers, window.answered, sizeof *window.answers, compare);
    printf("{\"seconds\":%.4f,\"accepted\":%" PRIu64 ",\"refused\":%" PRIu64 ",\"updates\":%" PRIu64
           ",\"update_bytes\":%" PRIu64 ",\"bytes\":%" PRIu64 ",\"server_cpu_s\":%.6f,\"store_cpu_s\":%.6f"
           ",\"own_cpu_s\":%.6f,\"answer_p50_us\":%.1f,\"answer_p99_us\":%.1f,\"all_accepted\":%" PRIu64 ",\"failures\":%" PRIu64 "}\n",
           (double)(ended.at - began.at) / 1e9, window.accepted, window.refused, window.updates, window.update_bytes,
           window.bytes, (double)(ended.server - began.server) / 1e9, (double)(ended.store - began.store) / 1e9,
           (double)(ended.own - began.own) / 1e9, quantile(0.5), quantile(0.99), all_accepted, failures);
    fflush(stdout);
}

/* Wait until every player may act again and the last updates are read: the next load starts from rest. */
static void come_to_rest(size_t first, size_t count) {
    uint64_t limit = now_ns() + PATIENCE;
    for (size_t at = first; at < first + count; at++)
        while (clients[at].seat >= 0 && !may_act(&clients[at]) && now_ns() < limit)
            poll_once(5);
    failures += now_ns() >= limit;
    for (uint64_t end = now_ns() + SECOND / 5; now_ns() < end;)
        poll_once(5);
}

/* Every sender acts as soon as it was answered. The window opens after a moment, when the queues have filled. */
static void run_closed(double seconds, size_t first, size_t count, int senders, const int *pids) {
    is_closed_loop = true;
    for (size_t at = first; at < first + count; at++) {
        struct client *client = &clients[at];
        client->is_sender = client->seat >= 0 && client->seat < senders;
        if (client->is_sender && client->is_ready)
            act(client);
    }
    for (uint64_t end = now_ns() + SECOND / 2; now_ns() < end;)
        poll_once(5);
    struct costs began = open_window(pids);
    uint64_t end = now_ns() + (uint64_t)(seconds * 1e9), limit = end + PATIENCE;
    while (now_ns() < end || (window.accepted == 0 && now_ns() < limit)) /* a busy machine may stop the server */
        poll_once(5);
    struct costs ended = close_window(pids);
    is_closed_loop = false;
    come_to_rest(first, count); /* before the report: another server is measured after it */
    report(began, ended);
}

/* One seat acts; the next one follows when the answer and every update are there. */
static void run_lockstep(double seconds, size_t first, size_t count, const int *pids) {
    struct costs began = open_window(pids);
    size_t turn = 0;
    for (uint64_t end = now_ns() + (uint64_t)(seconds * 1e9); turn == 0 || now_ns() < end; turn++) {
        struct client *client = &clients[first + turn % SEATS];
        uint64_t wanted = all_updates + count, limit = now_ns() + PATIENCE;
        act(client);
        while (all_updates < wanted || !may_act(client)) {
            poll_once(50);
            if (now_ns() > limit) {
                failures++;
                break;
            }
        }
    }
    report(began, close_window(pids));
}

/* --- set-up --------------------------------------------------------------------------------------------------------- */

static bool adopt_clients(const char *path) {
    FILE *file = fopen(path, "r");
    int fd, seat, is_ready;
    uint64_t room, turn;
    if (file == NULL)
        return false;
    while (fscanf(file, "%d %" SCNu64 " %d %" SCNu64 " %d", &fd, &room, &seat, &turn, &is_ready) == 5) {
        if (client_count == MOST_CLIENTS)
            return false;
        struct client *client = &clients[client_count++];
        *client = (struct client){.fd = fd, .room = room, .seat = seat, .turn = turn, .is_ready = is_ready != 0};
        client->capacity = 2 * LEAST_ROOM;
        client->buffer = malloc(client->capacity + HEADER);
        fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = client};
        if (epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event) != 0)
            return false;
    }
    fclose(file);
    return client_count > 0;
}

static bool is_within(size_t first, size_t count) {
    return count >= SEATS && first + count <= client_count;
}

static void serve_commands(const int *pids) {
    char line[256];
    for (;;) {
        if (!poll_once(1000))
            continue;
        if (fgets(line, sizeof line, stdin) == NULL)
            return;
        double seconds;
        size_t first, count;
        int senders;
        if (sscanf(line, "closed %lf %zu %zu %d", &seconds, &first, &count, &senders) == 4 && is_within(first, count))
            run_closed(seconds, first, count, senders, pids);
        else if (sscanf(line, "lockstep %lf %zu %zu", &seconds, &first, &count) == 3 && is_within(first, count))
            run_lockstep(seconds, first, count, pids);
        else
            fprintf(stderr, "load: bad command: %s", line);
    }
}

int main(int count, char **arguments) {
    if (count != 5 || (protocol = find_protocol(arguments[1])) == NULL) {
        fprintf(stderr, "usage: load PROTOCOL CLIENTS SERVER_PID STORE_PID\n");
        return 2;
    }
    int pids[2] = {atoi(arguments[3]), atoi(arguments[4])};
    struct epoll_event input = {.events = EPOLLIN, .data.ptr = NULL};
    poller = epoll_create1(EPOLL_CLOEXEC);
    if (!adopt_clients(arguments[2]) || epoll_ctl(poller, EPOLL_CTL_ADD, STDIN_FILENO, &input) != 0) {
        fprintf(stderr, "load: cannot take over the clients\n");
        return 1;
    }
    printf("{\"clients\":%zu}\n", client_count);
    fflush(stdout);
    serve_commands(pids);
    return 0;
}
