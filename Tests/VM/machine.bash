# Sourced by `boot` and `shell`: sets `qemu`, the command line of the virtual machine.
#
#   machine IMAGE-DIRECTORY SHARED-DIRECTORY KERNEL-ARGUMENTS [QEMU-OPTION]…

machine() {
  local image=$1 shared=$2 arguments=$3
  shift 3
  # tcg: a machine without KVM has to do. No default devices: exactly this hardware.
  qemu=(
    qemu-system-x86_64 -accel "tcg,thread=multi" -machine q35 -smp 2 -m 512
    -nodefaults -no-user-config -no-reboot -display none
    -kernel "$image/vmlinux" -initrd "$image/initrd"
    -append "console=ttyS0 quiet panic=-1 mitigations=off $arguments"
    -fsdev "local,id=shared,path=$shared,security_model=none"
    -device "virtio-9p-pci,fsdev=shared,mount_tag=shared"
    -device virtio-tablet-pci -device virtio-keyboard-pci
    "$@"
  )
}
