// A file's bytes in the memory that the host shares (QEMU's ivshmem-plain): a framebuffer of 4 MB is there in the time that the
// guest takes to read it. Through the shared folder it takes a second, under emulation.
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "guest.h"

static const char devices[] = "/sys/bus/pci/devices";

static unsigned identity(const char *device, const char *name) {
  char path[512], text[16] = "";
  snprintf(path, sizeof path, "%s/%s/%s", devices, device, name);
  FILE *file = fopen(path, "r");
  if (!file) return 0;
  if (!fgets(text, sizeof text, file)) text[0] = 0;
  fclose(file);
  return (unsigned)strtoul(text, NULL, 0);
}

// The memory, and its size in bytes. Its identity and its region: QEMU docs/specs/ivshmem-spec.
static uint8_t *map_shared(size_t *size) {
  DIR *folder = opendir(devices);
  if (!folder) fail_errno("%s", devices);
  char path[512] = "";
  for (struct dirent *entry; !path[0] && (entry = readdir(folder));) {
    if (identity(entry->d_name, "vendor") != 0x1af4 || identity(entry->d_name, "device") != 0x1110) continue;
    // No driver does it for this device.
    snprintf(path, sizeof path, "%s/%s/enable", devices, entry->d_name);
    int enable = open(path, O_WRONLY | O_CLOEXEC);
    if (enable < 0 || write(enable, "1", 1) != 1) fail_errno("%s", path);
    close(enable);
    snprintf(path, sizeof path, "%s/%s/resource2", devices, entry->d_name);
  }
  closedir(folder);
  if (!path[0]) fail("this machine has no memory that it shares with the host");
  int node = open(path, O_RDWR | O_CLOEXEC);
  struct stat status;
  if (node < 0 || fstat(node, &status) < 0) fail_errno("%s", path);
  *size = (size_t)status.st_size;
  uint8_t *memory = mmap(NULL, *size, PROT_READ | PROT_WRITE, MAP_SHARED, node, 0);
  if (memory == MAP_FAILED) fail_errno("mapping %s", path);
  close(node);
  return memory;
}

// Prints how many bytes there are.
int dump_command(int count, char **arguments) {
  if (count != 1) fail("dump wants a file");
  int node = open(arguments[0], O_RDONLY | O_CLOEXEC);
  if (node < 0) fail_errno("%s", arguments[0]);
  size_t size, length = 0;
  uint8_t *memory = map_shared(&size);
  // Read into memory of the process: a driver may be slow with memory of a device.
  static uint8_t buffer[1 << 18];
  for (ssize_t read_now; (read_now = read(node, buffer, sizeof buffer)) != 0; length += (size_t)read_now) {
    if (read_now < 0) fail_errno("reading %s", arguments[0]);
    if ((size_t)read_now > size - length) fail("%s has more than %zu bytes", arguments[0], size);
    memcpy(memory + length, buffer, (size_t)read_now);
  }
  printf("%zu\n", length);
  close(node);
  return 0;
}
