#define _GNU_SOURCE
#include "CSystem.h"

#include <ifaddrs.h>
#include <limits.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

int pl_network_watch(void) {
    int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
    if (descriptor < 0) return -1;
    struct sockaddr_nl address = {
        .nl_family = AF_NETLINK,
        .nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE,
    };
    if (bind(descriptor, (struct sockaddr *)&address, sizeof address) == 0) return descriptor;
    close(descriptor);
    return -1;
}

int pl_clock_watch(void) {
    int descriptor = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
    if (descriptor >= 0) pl_clock_rearm(descriptor);
    return descriptor;
}

void pl_clock_rearm(int descriptor) {
    // A moment that never comes: only the setting of the clock ends the wait.
    struct itimerspec never = {.it_value = {.tv_sec = (time_t)(LONG_MAX / 1000000000)}};
    timerfd_settime(descriptor, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, NULL);
}

void pl_drain(int descriptor) {
    char dropped[8192];
    // A watch whose buffer ran over says so with an error, once; there is more behind it.
    for (int failures = 0; failures < 2;) {
        if (read(descriptor, dropped, sizeof dropped) <= 0) failures += 1;
    }
}

static uint64_t mixed(uint64_t hash, const void *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001B3u;
    return hash;
}

static uint64_t hash_of_address(const struct sockaddr *address, uint64_t hash) {
    if (address->sa_family == AF_INET) {
        return mixed(hash, &((const struct sockaddr_in *)address)->sin_addr, sizeof(struct in_addr));
    }
    if (address->sa_family == AF_INET6) {
        return mixed(hash, &((const struct sockaddr_in6 *)address)->sin6_addr, sizeof(struct in6_addr));
    }
    return hash;
}

static uint64_t hash_of_default_routes(uint64_t hash) {
    FILE *file = fopen("/proc/net/route", "re");
    if (!file) return hash;
    char line[512];
    while (fgets(line, sizeof line, file)) {
        char interface[64], destination[64], gateway[64];
        if (sscanf(line, "%63s %63s %63s", interface, destination, gateway) != 3) continue;
        if (strcmp(destination, "00000000") != 0) continue;
        hash = mixed(mixed(hash, interface, strlen(interface)), gateway, strlen(gateway));
    }
    fclose(file);
    return hash;
}

uint64_t pl_network_ways(void) {
    uint64_t sum = 0;
    struct ifaddrs *all = NULL;
    if (getifaddrs(&all) == 0) {
        for (struct ifaddrs *one = all; one; one = one->ifa_next) {
            bool runs = (one->ifa_flags & IFF_UP) && (one->ifa_flags & IFF_RUNNING);
            if (!runs || (one->ifa_flags & IFF_LOOPBACK) || !one->ifa_addr) continue;
            // Added up, for the order is not promised.
            sum += hash_of_address(
                one->ifa_addr, mixed(0xCBF29CE484222325u, one->ifa_name, strlen(one->ifa_name)));
        }
        freeifaddrs(all);
    }
    return hash_of_default_routes(sum);
}
