/* Numbers as the network has them, highest byte first. */
#include "libc.h"

unsigned ntohl(unsigned v) { return __builtin_bswap32(v); }
unsigned htonl(unsigned v) { return __builtin_bswap32(v); }
unsigned short ntohs(unsigned short v) { return __builtin_bswap16(v); }
unsigned short htons(unsigned short v) { return __builtin_bswap16(v); }
