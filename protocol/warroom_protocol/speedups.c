/* The hottest functions of Warroom once more, in C.

   This module is optional. Each function has a Python twin, which is the specification: `diff` in patches.py, `unframe`,
   `frame` and `frames` in frames.py, `broadcast` and `write_each` in the server's adapters/websocket/connection.py.

   Creating any object may run the garbage collector, and so any finalizer. Therefore everything that is used after that is
   held by a reference of its own, and sizes are read again. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

typedef struct {
    PyObject *layouts; /* type of Struct -> (the names of its fields, their steps in a path) */
    PyObject *out, *fd, *transport, *is_closing, *get_write_buffer_size; /* these names as str */
    PyObject *is_congested, *shell, *due, *is_flush_due, *flush_soon;
} State;

static int
is_bytes(PyObject *value)
{
    if (PyBytes_CheckExact(value))
        return 1;
    PyErr_Format(PyExc_TypeError, "bytes are required, not %.100s", Py_TYPE(value)->tp_name);
    return 0;
}

/* --- diff ---------------------------------------------------------------------------------------------------------- */

/* As in limits.py. The first also bounds the recursion: each level of it is one step of a path. */
#define MAX_PATH 32
#define MAX_OPERATIONS 4096

/* A step from a node to one below it. Paths are chains of them on the C stack; only an operation needs a tuple. */
typedef struct Step {
    const struct Step *above; /* NULL: from the root */
    int depth;                /* how many steps lead from the root to here */
    PyObject *key;            /* NULL: the step is the index */
    Py_ssize_t index;
} Step;

typedef struct {
    PyObject *patch;
    PyObject *layouts;
} Walk;

static int compare(Walk *walk, PyObject *old, PyObject *new, const Step *at);

static int
depth_of(const Step *at)
{
    return at == NULL ? 0 : at->depth;
}

static PyObject *
path_to(const Step *at)
{
    PyObject *path = PyTuple_New(depth_of(at));
    if (path == NULL)
        return NULL;
    for (; at != NULL; at = at->above) {
        PyObject *step = at->key != NULL ? Py_NewRef(at->key) : PyLong_FromSsize_t(at->index);
        if (step == NULL) {
            Py_DECREF(path);
            return NULL;
        }
        PyTuple_SET_ITEM(path, at->depth - 1, step);
    }
    return path;
}

/* Append (path,), (path, first) or (path, first, second): what is NULL is left out. */
static int
add_operation(Walk *walk, const Step *at, PyObject *first, PyObject *second)
{
    PyObject *path = path_to(at);
    if (path == NULL)
        return -1;
    PyObject *operation = PyTuple_Pack(1 + (first != NULL) + (second != NULL), path, first, second);
    Py_DECREF(path);
    if (operation == NULL)
        return -1;
    int result = PyList_Append(walk->patch, operation);
    Py_DECREF(operation);
    return result;
}

/* Append (path, keep, items), where the items are those of *new* after the first *keep*. */
static int
add_recut(Walk *walk, PyObject *new, Py_ssize_t keep, const Step *at)
{
    int result = -1;
    PyObject *kept = PyLong_FromSsize_t(keep);
    PyObject *items = PySequence_GetSlice(new, keep, PY_SSIZE_T_MAX);
    if (kept != NULL && items != NULL)
        result = add_operation(walk, at, kept, items);
    Py_XDECREF(kept);
    Py_XDECREF(items);
    return result;
}

static int
is_list(PyTypeObject *type)
{
    return type == &PyTuple_Type || type == &PyList_Type;
}

static int
is_scalar(PyTypeObject *type)
{
    return type == &PyLong_Type || type == &PyUnicode_Type || type == &PyBool_Type || type == Py_TYPE(Py_None);
}

static int
has_only_scalars(PyObject *items, Py_ssize_t from)
{
    for (Py_ssize_t index = from; index < PySequence_Fast_GET_SIZE(items); index++)
        if (!is_scalar(Py_TYPE(PySequence_Fast_GET_ITEM(items, index))))
            return 0;
    return 1;
}

static int
refuse_resized(void)
{
    PyErr_SetString(PyExc_RuntimeError, "a view changed its size during the comparison");
    return -1;
}

/* Compare two children, for which the caller has no reference of its own. */
static int
compare_children(Walk *walk, PyObject *old, PyObject *new, const Step *at)
{
    Py_INCREF(old);
    Py_INCREF(new);
    int result = compare(walk, old, new, at);
    Py_DECREF(old);
    Py_DECREF(new);
    return result;
}

static int
compare_items(Walk *walk, PyObject *old, PyObject *new, const Step *at)
{
    Py_ssize_t start = PyList_GET_SIZE(walk->patch);
    Py_ssize_t old_size = PySequence_Fast_GET_SIZE(old), new_size = PySequence_Fast_GET_SIZE(new);
    Py_ssize_t common = old_size < new_size ? old_size : new_size;
    Py_ssize_t first = common, changed = 0;
    Step below = {at, depth_of(at) + 1, NULL, 0};

    for (Py_ssize_t index = 0; index < common; index++) {
        if (index >= PySequence_Fast_GET_SIZE(old) || index >= PySequence_Fast_GET_SIZE(new))
            return refuse_resized();
        PyObject *before = PySequence_Fast_GET_ITEM(old, index), *after = PySequence_Fast_GET_ITEM(new, index);
        if (before == after)
            continue;
        Py_ssize_t length = PyList_GET_SIZE(walk->patch);
        below.index = index;
        if (compare_children(walk, before, after, &below) < 0)
            return -1;
        if (PyList_GET_SIZE(walk->patch) > length && changed++ == 0)
            first = index;
    }

    int is_resized = old_size != new_size;
    int is_mostly_new = 2 * changed > common - first;
    if (is_mostly_new && (changed > 1) + is_resized + has_only_scalars(new, first) > 1) {
        if (PyList_SetSlice(walk->patch, start, PY_SSIZE_T_MAX, NULL) < 0)
            return -1;
        return add_recut(walk, new, first, at);
    }
    return is_resized ? add_recut(walk, new, common, at) : 0;
}

/* Append the removal of each key that *old* has and *new* has not. */
static int
remove_keys(Walk *walk, PyObject *old, PyObject *new, const Step *at)
{
    Py_ssize_t old_size = PyDict_GET_SIZE(old), position = 0;
    PyObject *key, *value;
    Step below = {at, depth_of(at) + 1, NULL, 0};

    while (PyDict_Next(old, &position, &key, &value)) {
        below.key = Py_NewRef(key);
        int result = PyDict_Contains(new, key);
        if (result == 0)
            result = add_operation(walk, &below, NULL, NULL);
        Py_DECREF(below.key);
        if (result < 0)
            return -1;
        if (PyDict_GET_SIZE(old) != old_size)
            return refuse_resized();
    }
    return 0;
}

static int
compare_keys(Walk *walk, PyObject *old, PyObject *new, const Step *at)
{
    Py_ssize_t old_size = PyDict_GET_SIZE(old), new_size = PyDict_GET_SIZE(new), added = 0, position = 0;
    PyObject *key, *value;
    Step below = {at, depth_of(at) + 1, NULL, 0};

    while (PyDict_Next(new, &position, &key, &value)) {
        int result = 0;
        below.key = Py_NewRef(key);
        Py_INCREF(value);
        PyObject *before = PyDict_GetItemWithError(old, key);
        if (before == NULL) {
            added++;
            result = PyErr_Occurred() ? -1 : add_operation(walk, &below, value, NULL);
        }
        else if (before != value)
            result = compare_children(walk, before, value, &below);
        Py_DECREF(below.key);
        Py_DECREF(value);
        if (result < 0)
            return -1;
        if (PyDict_GET_SIZE(new) != new_size)
            return refuse_resized();
    }
    return old_size + added > new_size ? remove_keys(walk, old, new, at) : 0;
}

/* Return what the Python twin says of a type; it raises TypeError for what no view may hold. */
static PyObject *
ask_steps(PyTypeObject *kind)
{
    PyObject *steps = NULL, *patches = PyImport_ImportModule("warroom_protocol.patches");
    PyObject *name = patches == NULL ? NULL : PyUnicode_InternFromString("field_steps");
    if (name != NULL)
        steps = PyObject_CallMethodOneArg(patches, name, (PyObject *)kind);
    Py_XDECREF(patches);
    Py_XDECREF(name);
    return steps;
}

static PyObject *
learn_layout(PyObject *layouts, PyTypeObject *kind)
{
    PyObject *layout = NULL, *names = NULL, *steps = ask_steps(kind);
    if (steps != NULL)
        names = PyObject_GetAttrString((PyObject *)kind, "__struct_fields__");
    if (names != NULL) {
        if (PyTuple_CheckExact(names) && PyTuple_CheckExact(steps) && PyTuple_GET_SIZE(names) == PyTuple_GET_SIZE(steps))
            layout = PyTuple_Pack(2, names, steps);
        else
            PyErr_SetString(PyExc_TypeError, "field_steps() must return one step for each field");
    }
    if (layout != NULL && PyDict_SetItem(layouts, (PyObject *)kind, layout) < 0)
        Py_CLEAR(layout);
    Py_XDECREF(names);
    Py_XDECREF(steps);
    return layout;
}

static PyObject *
layout_of(PyObject *layouts, PyTypeObject *kind)
{
    PyObject *layout = PyDict_GetItemWithError(layouts, (PyObject *)kind);
    if (layout != NULL)
        return Py_NewRef(layout);
    return PyErr_Occurred() ? NULL : learn_layout(layouts, kind);
}

static int
compare_fields(Walk *walk, PyObject *old, PyObject *new, const Step *at)
{
    PyObject *layout = layout_of(walk->layouts, Py_TYPE(new));
    if (layout == NULL)
        return -1;
    PyObject *names = PyTuple_GET_ITEM(layout, 0), *steps = PyTuple_GET_ITEM(layout, 1);
    Step below = {at, depth_of(at) + 1, NULL, 0};
    int result = 0;

    for (Py_ssize_t field = 0; result == 0 && field < PyTuple_GET_SIZE(names); field++) {
        PyObject *before = PyObject_GetAttr(old, PyTuple_GET_ITEM(names, field));
        PyObject *after = before == NULL ? NULL : PyObject_GetAttr(new, PyTuple_GET_ITEM(names, field));
        if (after == NULL)
            result = -1;
        else if (before != after) {
            below.key = PyTuple_GET_ITEM(steps, field);
            result = compare(walk, before, after, &below);
        }
        Py_XDECREF(before);
        Py_XDECREF(after);
    }
    Py_DECREF(layout);
    return result;
}

/* Compare two nodes that are not the same object; the caller has a reference to both. */
static int
compare(Walk *walk, PyObject *old, PyObject *new, const Step *at)
{
    PyTypeObject *kind = Py_TYPE(new), *was = Py_TYPE(old);
    if (is_scalar(kind)) {
        int differs = kind != was ? 1 : PyObject_RichCompareBool(old, new, Py_NE);
        return differs > 0 ? add_operation(walk, at, new, NULL) : differs;
    }
    if (depth_of(at) == MAX_PATH)
        return add_operation(walk, at, new, NULL);
    if (is_list(kind) && is_list(was))
        return compare_items(walk, old, new, at);
    if (kind != was)
        return add_operation(walk, at, new, NULL);
    if (kind == &PyDict_Type)
        return compare_keys(walk, old, new, at);
    return compare_fields(walk, old, new, at);
}

static PyObject *
diff(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    if (count != 2)
        return PyErr_Format(PyExc_TypeError, "diff() takes 2 arguments, not %zd", count);
    PyObject *old = arguments[0], *new = arguments[1];
    Walk walk = {PyList_New(0), ((State *)PyModule_GetState(module))->layouts};
    if (walk.patch == NULL)
        return NULL;
    int result = old == new ? 0 : compare(&walk, old, new, NULL);
    if (result == 0 && PyList_GET_SIZE(walk.patch) > MAX_OPERATIONS) {
        result = PyList_SetSlice(walk.patch, 0, PY_SSIZE_T_MAX, NULL);
        if (result == 0)
            result = add_operation(&walk, NULL, new, NULL);
    }
    if (result < 0)
        Py_CLEAR(walk.patch);
    return walk.patch;
}

/* --- frames -------------------------------------------------------------------------------------------------------- */

#define HEAD 0x82 /* the last fragment of a binary message */
#define MASKED 0x80
#define SIZE_IN_2 126 /* the size is in the next 2 bytes; smaller numbers are sizes */
#define SIZE_IN_8 127
#define MASK_BYTES 4

static PyObject *
unframe(PyObject *module, PyObject *data)
{
    if (!is_bytes(data))
        return NULL;
    const uint8_t *bytes = (const uint8_t *)PyBytes_AS_STRING(data);
    Py_ssize_t length = PyBytes_GET_SIZE(data), start = 2 + MASK_BYTES, size;
    if (length < start || bytes[0] != HEAD)
        Py_RETURN_NONE;
    if (bytes[1] < (MASKED | SIZE_IN_2))
        size = bytes[1] - MASKED; /* negative, and so refused below, without a mask */
    else if (bytes[1] == (MASKED | SIZE_IN_2)) {
        start += 2;
        size = bytes[2] << 8 | bytes[3];
        if (size < SIZE_IN_2)
            Py_RETURN_NONE;
    }
    else
        Py_RETURN_NONE;
    if (size != length - start)
        Py_RETURN_NONE;

    PyObject *message = PyBytes_FromStringAndSize(NULL, size);
    if (message == NULL)
        return NULL;
    uint8_t *unmasked = (uint8_t *)PyBytes_AS_STRING(message), mask[MASK_BYTES];
    memcpy(mask, bytes + start - MASK_BYTES, MASK_BYTES);
    for (Py_ssize_t index = 0; index < size; index++)
        unmasked[index] = bytes[start + index] ^ mask[index & (MASK_BYTES - 1)];
    return message;
}

static Py_ssize_t
head_size(Py_ssize_t size)
{
    return size < SIZE_IN_2 ? 2 : size <= UINT16_MAX ? 4 : 10;
}

/* Write the frame of a message, and return where it ends. */
static uint8_t *
write_frame(uint8_t *to, PyObject *payload)
{
    Py_ssize_t size = PyBytes_GET_SIZE(payload);
    int size_bytes = (int)head_size(size) - 2;
    *to++ = HEAD;
    *to++ = size_bytes == 0 ? (uint8_t)size : size_bytes == 2 ? SIZE_IN_2 : SIZE_IN_8;
    for (int shift = 8 * (size_bytes - 1); shift >= 0; shift -= 8)
        *to++ = (uint8_t)((uint64_t)size >> shift);
    memcpy(to, PyBytes_AS_STRING(payload), (size_t)size);
    return to + size;
}

static PyObject *
frame(PyObject *module, PyObject *payload)
{
    if (!is_bytes(payload))
        return NULL;
    Py_ssize_t size = PyBytes_GET_SIZE(payload);
    PyObject *result = PyBytes_FromStringAndSize(NULL, head_size(size) + size);
    if (result != NULL)
        write_frame((uint8_t *)PyBytes_AS_STRING(result), payload);
    return result;
}

static PyObject *
frames(PyObject *module, PyObject *iterable)
{
    PyObject *payloads = PySequence_Tuple(iterable), *result = NULL;
    if (payloads == NULL)
        return NULL;
    Py_ssize_t total = 0;
    for (Py_ssize_t index = 0; index < PyTuple_GET_SIZE(payloads); index++) {
        PyObject *payload = PyTuple_GET_ITEM(payloads, index);
        if (!is_bytes(payload))
            goto done;
        Py_ssize_t size = PyBytes_GET_SIZE(payload);
        if (size > PY_SSIZE_T_MAX - 10 - total) {
            PyErr_SetString(PyExc_OverflowError, "the frames are too long for one bytes object");
            goto done;
        }
        total += head_size(size) + size;
    }
    result = PyBytes_FromStringAndSize(NULL, total);
    if (result != NULL) {
        uint8_t *to = (uint8_t *)PyBytes_AS_STRING(result);
        for (Py_ssize_t index = 0; index < PyTuple_GET_SIZE(payloads); index++)
            to = write_frame(to, PyTuple_GET_ITEM(payloads, index));
    }
done:
    Py_DECREF(payloads);
    return result;
}

/* --- sending ------------------------------------------------------------------------------------------------------- */

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0 /* macOS has none; there it is enough that Python ignores SIGPIPE */
#endif

/* What one connection is sent. The transport is held because it owns the descriptor, and closes it when it is freed. */
typedef struct {
    PyObject *connection; /* borrowed from the caller's tuple */
    PyObject *transport;
    PyObject *out;
    PyObject *data; /* all frames of `out`, joined */
    Py_ssize_t frames;
    int fd;
    ssize_t sent;
} Writing;

static void
release(Writing *writing)
{
    Py_CLEAR(writing->transport);
    Py_CLEAR(writing->out);
    Py_CLEAR(writing->data);
}

/* Return whether a value is true, or -1 after an error, which NULL stands for as well; takes over the reference. */
static int
is_true(PyObject *value)
{
    int result = value == NULL ? -1 : PyObject_IsTrue(value);
    Py_XDECREF(value);
    return result;
}

/* Return 1 if a connection has a plain socket, 0 if not, -1 after an error. */
static int
find_socket(const State *names, Writing *writing)
{
    PyObject *value = PyObject_GetAttr(writing->connection, names->fd);
    if (value == NULL)
        return -1;
    long fd = PyLong_AsLong(value);
    Py_DECREF(value);
    if (fd == -1 && PyErr_Occurred())
        return -1;
    if (fd > INT_MAX) {
        PyErr_Format(PyExc_OverflowError, "%ld is no file descriptor", fd);
        return -1;
    }
    writing->fd = (int)fd;
    return fd >= 0;
}

/* Return 1 if a connection is open and its transport has sent everything, 0 if not, -1 after an error. */
static int
is_idle(const State *names, Writing *writing)
{
    int is_busy = is_true(PyObject_GetAttr(writing->connection, names->is_closing));
    if (is_busy == 0) {
        writing->transport = PyObject_GetAttr(writing->connection, names->transport);
        if (writing->transport == NULL)
            return -1;
        is_busy = writing->transport == Py_None;
    }
    if (is_busy == 0)
        is_busy = is_true(PyObject_CallMethodNoArgs(writing->transport, names->is_closing));
    if (is_busy == 0)
        is_busy = is_true(PyObject_CallMethodNoArgs(writing->transport, names->get_write_buffer_size));
    return is_busy < 0 ? -1 : !is_busy;
}

/* Return the bytes of a list with at least one item as one object. */
static PyObject *
joined(PyObject *items)
{
    Py_ssize_t total = 0;
    for (Py_ssize_t index = 0; index < PyList_GET_SIZE(items); index++) {
        PyObject *item = PyList_GET_ITEM(items, index);
        if (!is_bytes(item))
            return NULL;
        if (PyBytes_GET_SIZE(item) > PY_SSIZE_T_MAX - total)
            return PyErr_NoMemory();
        total += PyBytes_GET_SIZE(item);
    }
    if (PyList_GET_SIZE(items) == 1)
        return Py_NewRef(PyList_GET_ITEM(items, 0));
    PyObject *result = PyBytes_FromStringAndSize(NULL, total); /* which the garbage collector does not count */
    if (result == NULL)
        return NULL;
    char *to = PyBytes_AS_STRING(result);
    for (Py_ssize_t index = 0; index < PyList_GET_SIZE(items); index++) {
        PyObject *item = PyList_GET_ITEM(items, index);
        memcpy(to, PyBytes_AS_STRING(item), (size_t)PyBytes_GET_SIZE(item));
        to += PyBytes_GET_SIZE(item);
    }
    return result;
}

/* Return 1 for the list of what is queued, 0 for None, -1 after an error. */
static int
is_list_or_none(PyObject *queued)
{
    if (PyList_CheckExact(queued))
        return 1;
    if (queued == Py_None)
        return 0;
    PyErr_Format(PyExc_TypeError, "a list of frames is required, not %.100s", Py_TYPE(queued)->tp_name);
    return -1;
}

/* Add a frame to what a connection has queued. Return 1 if it is the first one, 0 if not, -1 after an error. */
static int
add_frame(const State *names, PyObject *connection, PyObject *data)
{
    PyObject *out = PyObject_GetAttr(connection, names->out);
    int result = out == NULL ? -1 : is_list_or_none(out);
    if (result > 0)
        result = PyList_Append(out, data);
    else if (result == 0) {
        PyObject *first = PyList_New(1);
        if (first != NULL)
            PyList_SET_ITEM(first, 0, Py_NewRef(data));
        result = first == NULL || PyObject_SetAttr(connection, names->out, first) < 0 ? -1 : 1;
        Py_XDECREF(first);
    }
    Py_XDECREF(out);
    return result;
}

/* Take what a connection has queued: 1. Return 0 if it is to write for itself, -1 after an error; then nothing is taken. */
static int
take(const State *names, PyObject *connection, Writing *writing)
{
    *writing = (Writing){.connection = connection};
    int result = find_socket(names, writing);
    if (result > 0)
        result = is_idle(names, writing);
    if (result > 0) {
        writing->out = PyObject_GetAttr(connection, names->out);
        result = writing->out == NULL ? -1 : 1;
    }
    if (result > 0)
        result = is_list_or_none(writing->out);
    if (result > 0)
        result = (writing->frames = PyList_GET_SIZE(writing->out)) > 0;
    if (result > 0) {
        writing->data = joined(writing->out);
        if (writing->data == NULL || PyObject_SetAttr(connection, names->out, Py_None) < 0)
            result = -1;
    }
    if (result <= 0)
        release(writing);
    return result;
}

/* Queue what a socket did not take as one frame, which its connection is to write for itself. */
static int
put_back(const State *names, const Writing *writing, Py_ssize_t sent, PyObject *late)
{
    const char *bytes = PyBytes_AS_STRING(writing->data);
    PyObject *rest = PyBytes_FromStringAndSize(bytes + sent, PyBytes_GET_SIZE(writing->data) - sent);
    int result = rest == NULL ? -1 : add_frame(names, writing->connection, rest);
    Py_XDECREF(rest);
    return result < 0 ? -1 : PyList_Append(late, writing->connection);
}

static void
send_all(Writing *writings, Py_ssize_t count)
{
    Py_BEGIN_ALLOW_THREADS
    for (Writing *writing = writings; writing < writings + count; writing++) {
        const char *bytes = PyBytes_AS_STRING(writing->data);
        size_t size = (size_t)PyBytes_GET_SIZE(writing->data);
        writing->sent = send(writing->fd, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL);
    }
    Py_END_ALLOW_THREADS
}

/* Take from all connections, and send. In between nothing may close a descriptor: no object is made that the garbage
   collector counts, and the methods of transports that close theirs at once, those of uvloop, are in C. After an error,
   what was taken before is sent all the same. */
static PyObject *
write_to(const State *names, PyObject *connections, Writing *writings, PyObject *late)
{
    Py_ssize_t taken = 0, frames = 0, size = 0;
    int result = 0;
    for (Py_ssize_t index = 0; result >= 0 && index < PyTuple_GET_SIZE(connections); index++) {
        PyObject *connection = PyTuple_GET_ITEM(connections, index);
        result = take(names, connection, &writings[taken]);
        if (result > 0)
            taken++;
        else if (result == 0)
            result = PyList_Append(late, connection);
    }
    if (taken > 0)
        send_all(writings, taken);
    for (Writing *writing = writings; writing < writings + taken; writing++) {
        Py_ssize_t sent = writing->sent < 0 ? 0 : writing->sent;
        int has_rest = sent < PyBytes_GET_SIZE(writing->data);
        if (has_rest && put_back(names, writing, sent, late) < 0)
            result = -1;
        frames += writing->frames - has_rest;
        size += sent;
        release(writing);
    }
    return result < 0 ? NULL : Py_BuildValue("(Onn)", late, frames, size);
}

static PyObject *
write_each(PyObject *module, PyObject *iterable)
{
    PyObject *result = NULL, *connections = PySequence_Tuple(iterable);
    PyObject *late = connections == NULL ? NULL : PyList_New(0);
    Writing *writings = late == NULL ? NULL : PyMem_New(Writing, PyTuple_GET_SIZE(connections));
    if (writings != NULL)
        result = write_to(PyModule_GetState(module), connections, writings, late);
    else if (late != NULL)
        PyErr_NoMemory();
    PyMem_Free(writings);
    Py_XDECREF(late);
    Py_XDECREF(connections);
    return result;
}

/* --- broadcast ----------------------------------------------------------------------------------------------------- */

/* Return 1 if an attribute is true, 0 if it is false, -1 after an error. */
static int
is_set(PyObject *object, PyObject *name)
{
    PyObject *value = PyObject_GetAttr(object, name);
    if (value == NULL)
        return -1;
    int result = PyObject_IsTrue(value);
    Py_DECREF(value);
    return result;
}

/* Return a list that is an attribute, as a new reference. */
static PyObject *
list_of(PyObject *object, PyObject *name)
{
    PyObject *list = PyObject_GetAttr(object, name);
    if (list != NULL && !PyList_CheckExact(list)) {
        PyErr_Format(PyExc_TypeError, "%U must be a list, not %.100s", name, Py_TYPE(list)->tp_name);
        Py_CLEAR(list);
    }
    return list;
}

/* Queue a frame for a connection, unless it is closing. */
static int
queue(const State *names, PyObject *connection, PyObject *data, PyObject *due)
{
    int is_closing = is_set(connection, names->is_closing);
    if (is_closing != 0)
        return is_closing < 0 ? -1 : 0;
    int is_first = add_frame(names, connection, data);
    return is_first > 0 ? PyList_Append(due, connection) : is_first;
}

/* Queue a frame for all connections but the congested ones, which are added to a list. */
static int
queue_each(const State *names, PyObject *connections, PyObject *data, PyObject *due, PyObject *congested)
{
    int result = 0;
    for (Py_ssize_t index = 0; result >= 0 && index < PyTuple_GET_SIZE(connections); index++) {
        PyObject *connection = PyTuple_GET_ITEM(connections, index);
        result = is_set(connection, names->is_congested);
        if (result == 0)
            result = queue(names, connection, data, due);
        else if (result > 0)
            result = PyList_Append(congested, connection);
    }
    return result;
}

static int
broadcast_to(const State *names, PyObject *connections, PyObject *data, PyObject *congested)
{
    PyObject *shell = PyObject_GetAttr(PyTuple_GET_ITEM(connections, 0), names->shell);
    PyObject *due = shell == NULL ? NULL : list_of(shell, names->due);
    int result = due == NULL ? -1 : queue_each(names, connections, data, due, congested);
    if (result >= 0 && PyList_GET_SIZE(due) > 0 && (result = is_set(shell, names->is_flush_due)) == 0) {
        result = PyObject_SetAttr(shell, names->is_flush_due, Py_True);
        PyObject *scheduled = result < 0 ? NULL : PyObject_CallMethodNoArgs(shell, names->flush_soon);
        result = scheduled == NULL ? -1 : 0;
        Py_XDECREF(scheduled);
    }
    Py_XDECREF(due);
    Py_XDECREF(shell);
    return result;
}

static PyObject *
broadcast(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    if (count != 2) {
        PyErr_SetString(PyExc_TypeError, "broadcast takes a payload and connections");
        return NULL;
    }
    PyObject *data = frame(module, arguments[0]);
    PyObject *connections = data == NULL ? NULL : PySequence_Tuple(arguments[1]);
    PyObject *congested = connections == NULL ? NULL : PyList_New(0);
    if (congested != NULL && PyTuple_GET_SIZE(connections) > 0
        && broadcast_to(PyModule_GetState(module), connections, data, congested) < 0)
        Py_CLEAR(congested);
    Py_XDECREF(connections);
    Py_XDECREF(data);
    return congested;
}

/* --- the module ---------------------------------------------------------------------------------------------------- */

static PyMethodDef methods[] = {
    {"diff", (PyCFunction)(void (*)(void))diff, METH_FASTCALL, "Return the patch that turns one view into another."},
    {"unframe", unframe, METH_O, "Return the message of a client if the data is exactly one whole frame with it."},
    {"frame", frame, METH_O, "Return the frame in which a server sends one message."},
    {"frames", frames, METH_O, "Return the frames of several messages, joined for one write."},
    {"broadcast", (PyCFunction)(void (*)(void))broadcast, METH_FASTCALL, "Queue a payload for many connections."},
    {"write_each", write_each, METH_O, "Write what idle connections have queued; return those that are left."},
    {NULL, NULL, 0, NULL},
};

static int
execute(PyObject *module)
{
    State *state = PyModule_GetState(module);
    state->layouts = PyDict_New();
    state->out = PyUnicode_InternFromString("out");
    state->fd = PyUnicode_InternFromString("fd");
    state->transport = PyUnicode_InternFromString("transport");
    state->is_closing = PyUnicode_InternFromString("is_closing");
    state->is_congested = PyUnicode_InternFromString("is_congested");
    state->shell = PyUnicode_InternFromString("shell");
    state->due = PyUnicode_InternFromString("due");
    state->is_flush_due = PyUnicode_InternFromString("is_flush_due");
    state->flush_soon = PyUnicode_InternFromString("flush_soon");
    state->get_write_buffer_size = PyUnicode_InternFromString("get_write_buffer_size");
    return PyErr_Occurred() ? -1 : 0;
}

static int
traverse(PyObject *module, visitproc visit, void *arg)
{
    Py_VISIT(((State *)PyModule_GetState(module))->layouts);
    return 0;
}

static int
clear(PyObject *module)
{
    State *state = PyModule_GetState(module);
    Py_CLEAR(state->layouts);
    Py_CLEAR(state->out);
    Py_CLEAR(state->fd);
    Py_CLEAR(state->transport);
    Py_CLEAR(state->is_closing);
    Py_CLEAR(state->is_congested);
    Py_CLEAR(state->shell);
    Py_CLEAR(state->due);
    Py_CLEAR(state->is_flush_due);
    Py_CLEAR(state->flush_soon);
    Py_CLEAR(state->get_write_buffer_size);
    return 0;
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, execute},
#if PY_VERSION_HEX >= 0x030C0000
    {Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED},
#endif
    {0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "warroom_protocol.speedups",
    .m_doc = "The hottest functions in C; their Python twins are the specification.",
    .m_size = sizeof(State),
    .m_methods = methods,
    .m_slots = slots,
    .m_traverse = traverse,
    .m_clear = clear,
};

PyMODINIT_FUNC
PyInit_speedups(void)
{
    return PyModuleDef_Init(&definition);
}
