import TouchSystem

extension UdevMonitor {
  /// Follows changes of the displays of a subsystem, by the kernel's messages and udev's. Some containers get
  /// none of the kernel, and not every board has udev.
  /// - Parameter report: called with a sentence about each source that fails.
  /// - Parameter changed: called with the source after events that count, or that were lost.
  static func followDisplays(
    _ subsystem: String, in loop: EventLoop, report: (String) -> Void,
    where isMeant: @escaping (Event) -> Bool = { _ in true }, changed: @escaping (Source) -> Void
  ) {
    for source in [Source.kernel, .udev] {
      do {
        guard let monitor = try UdevMonitor(source, subsystem: subsystem) else { continue }
        try loop.watch(monitor.descriptor.rawValue) {
          var isChanged = false
          let isWhole = monitor.readEvents { if isMeant($0) { isChanged = true } }
          if isChanged || !isWhole { changed(source) }
        }
      } catch {
        report(
          "\(source == .kernel ? "the kernel's" : "udev's") messages about displays are not received: \(error); "
            + "what is plugged in or pulled may not be noticed; allow the process netlink sockets (AF_NETLINK), or "
            + "restart it after a change")
      }
    }
  }
}
