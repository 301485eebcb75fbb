# Sourced by `boot` and `shell`: sets `qemu`, the command line of the virtual machine.
#
#   machine IMAGE-DIRECTORY SHARED-DIRECTORY KERNEL-ARGUMENTS [QEMU-OPTION]…
#
# What `vm-guest dump` reads is in SHARED-DIRECTORY.memory.
#
# With VM_COUNTED it has one processor, which takes a nanosecond for each instruction whatever else the host does: times
# in it are numbers of instructions, and the same every time. With iomem=relaxed programs can map the display adapter's
# memory, and see what is scanned out. VM_ARGUMENTS are further arguments of the kernel, VM_PROCESSORS is how many processors the
# machine has, by default two.
#
# Which processor, says the image: it has a file `architecture` if it is for 64-bit ARM. That machine is QEMU's `virt` with the processor
# of a Raspberry Pi 5, which knows pages of 16 KiB. It has one serial port, so that the agent's is a card.

machine() {
  local image=$1 shared=$2 arguments=$3
  shift 3
  local processors=(-accel "tcg,thread=multi,tb-size=2048" -smp "${VM_PROCESSORS:-2}")
  if [[ -n ${VM_COUNTED-} ]]; then processors=(-accel "tcg,thread=single" -icount "shift=0,sleep=off" -smp 1); fi
  local system=qemu-system-x86_64 board=(-machine q35) console=ttyS0
  if [[ -f $image/architecture ]]; then
    system=qemu-system-aarch64 board=(-machine virt -cpu cortex-a76) console=ttyAMA0
  fi
  # tcg: a machine without KVM has to do. No default devices: exactly this hardware.
  qemu=(
    "$system" "${processors[@]}" "${board[@]}" -m 512
    -nodefaults -no-user-config -no-reboot -display none
    -kernel "$image/vmlinux" -initrd "$image/initrd"
    -append "console=$console quiet panic=-1 mitigations=off iomem=relaxed ${VM_ARGUMENTS-} $arguments"
    -fsdev "local,id=shared,path=$shared,security_model=none"
    -device "virtio-9p-pci,fsdev=shared,mount_tag=shared"
    -object "memory-backend-file,id=memory,share=on,mem-path=$shared.memory,size=16M"
    -device ivshmem-plain,memdev=memory
    -device virtio-tablet-pci -device virtio-keyboard-pci
    "$@"
  )
}
