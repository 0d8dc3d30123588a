/* The environment of a test: each object getenv_NAME is a variable that the program
 * asks for. It is not set where the first two bytes are 0, empty where the first
 * one is, and a text otherwise. A run has no other variables.
 */
#include "replay.h"

#include <string.h>

enum { MOST = 256 };

static const char prefix[] = "getenv_";

extern char **environ;

void klabel_environment(void)
{
    static char *variables[MOST + 1];
    const struct klabel_object *o;
    uint32_t at = 0;
    int n = 0;

    while ((o = klabel_named(prefix, &at)) != NULL && n < MOST) {
        size_t name = o->name_length - (sizeof prefix - 1), i;
        char *text = __builtin_malloc(name + o->size + 2), *object;

        object = __builtin_malloc(o->name_length + (size_t)1);
        if (text == NULL || object == NULL)
            klabel_stop(END_BROKEN, "no memory for the environment");
        memcpy(object, o->name, o->name_length);
        object[o->name_length] = '\0';
        memcpy(text, object + sizeof prefix - 1, name);
        text[name] = '=';
        klabel_input(text + name + 1, o->size, object);
        text[name + 1 + o->size] = '\0';
        __builtin_free(object);
        for (i = 0; i < 2 && i < o->size && text[name + 1 + i] == '\0'; i++)
            ;
        if (i < 2 && i < o->size)
            variables[n++] = text;
    }
    environ = variables;
}
