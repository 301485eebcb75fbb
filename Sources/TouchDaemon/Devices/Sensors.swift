import Logging
import TouchCore
import TouchExpressions
import TouchInput
import TouchKit
import TouchSystem
import TouchViews

/// Sets named values from sensors: `source:` in the file.
///
/// A device of the kernel's input wakes the daemon when its value changes, and never otherwise. A channel of
/// IIO has to be read, which happens only while somebody can see or ask for it.
final class Sensors: TurnHook {
  package var turnPlace: TurnPlace?
  private let host: Host
  private let idle: IdleDisplay
  private let loop: EventLoop
  private let log: Logger
  /// Whether a client may ask for values.
  private let hasClients: () -> Bool
  private var sensors: [Sensor] = []
  private var folder = SensorChannel.folder

  private final class Sensor {
    let name: String
    let source: SensorSource
    let isFlag: Bool
    var device: OpenDevice?
    var channel: SensorChannel?
    /// The number that was reported last; nil while the sensor is not there.
    var last: Double?
    var pending: Double?
    /// The timer of the next reading or report, and the time before which nothing is reported.
    var timer: Int?
    var next = Timestamp.zero
    /// Whether it reports that somebody is there.
    var isOccupied: Bool {
      source.wakes && last ?? 0 != 0 && !source.isChannel && !source.event.hasPrefix("ABS_")
    }

    init(_ value: NamedValue, _ source: SensorSource) {
      (name, self.source) = (value.name, source)
      if case .flag = value.initial { isFlag = true } else { isFlag = false }
    }
  }

  init(
    host: Host, _ idle: IdleDisplay, in loop: EventLoop, log: Logger, hasClients: @escaping () -> Bool
  ) {
    (self.host, self.idle, self.loop, self.log, self.hasClients) = (host, idle, loop, log, hasClients)
  }

  /// Follows the sensors of the shown file. Those that it has in common with the last one stay open.
  ///
  /// - Parameter folder: the folder in which the kernel lists IIO devices.
  func follow(in folder: String = SensorChannel.folder) {
    self.folder = folder
    let old = sensors
    sensors = host.bindings.values.declarations.compactMap { value in
      guard let source = value.source else { return nil }
      return old.first { $0.name == value.name && $0.source == source } ?? Sensor(value, source)
    }
    for sensor in old where !sensors.contains(where: { $0 === sensor }) { close(sensor) }
    // The values of another tree begin as its file says.
    for sensor in sensors { if let last = sensor.last { set(sensor, to: last) } }
    turnPlace = nil
    if sensors.contains(where: \.source.isChannel) { loop.addHook(self, at: .rest) }
    lookForDevices()
    for sensor in sensors where sensor.source.isChannel { read(sensor) }
    for sensor in sensors where !old.contains(where: { $0 === sensor }) { reportAbsence(of: sensor) }
    idle.isOccupied = sensors.contains(where: \.isOccupied)
  }

  /// Logs that a sensor of the file sets nothing yet.
  private func reportAbsence(of sensor: Sensor) {
    let source = sensor.source
    guard sensor.device == nil, sensor.channel == nil else { return }
    log.warning(
      "\(sensor.name): no device \"\(source.device.escaped)\" reports \(source.event); until one does, the value is the file's"
    )
  }

  func end() {
    for sensor in sensors { close(sensor) }
    sensors = []
    turnPlace = nil
  }

  private func close(_ sensor: Sensor) {
    sensor.device?.stop()
    sensor.device = nil
    if let timer = sensor.timer { loop.cancelTimer(timer) }
    sensor.timer = nil
  }

  // MARK: Reports

  private func take(_ number: Double, of sensor: Sensor) {
    if let last = sensor.last, number == last || abs(number - last) < sensor.source.hysteresis {
      sensor.pending = nil
      return
    }
    guard sensor.source.isChannel || loop.now >= sensor.next else {
      sensor.pending = number
      if sensor.timer == nil {
        sensor.timer = loop.addTimer(at: sensor.next) { [weak self, weak sensor] in
          guard let self, let sensor else { return }
          sensor.timer = nil
          if let pending = sensor.pending { take(pending, of: sensor) }
        }
      }
      return
    }
    sensor.pending = nil
    let isFirst = sensor.last == nil
    sensor.last = number
    if !sensor.source.isChannel { sensor.next = loop.now.advanced(bySeconds: sensor.source.every) }
    set(sensor, to: number)
    if sensor.source.wakes && !isFirst { idle.wake(at: loop.now) }
    idle.isOccupied = sensors.contains(where: \.isOccupied)
  }

  private func set(_ sensor: Sensor, to number: Double) {
    let value = sensor.isFlag ? PropertyValue.flag(number != 0) : .number(number)
    do throws(PropertyError) {
      try host.setValues([PropertyValue.Entry(key: sensor.name, value: value)])
    } catch {
      log.warning("\(sensor.name): what its sensor reports cannot be set. \(error)")
    }
  }

  /// Forgets a sensor that is gone. Its value is again what the file says.
  private func lose(_ sensor: Sensor, because reason: String) {
    log.info("\(sensor.name): its sensor \(sensor.source.device.escaped) is gone. \(reason)")
    close(sensor)
    (sensor.channel, sensor.last, sensor.pending) = (nil, nil, nil)
    let values = host.bindings.values
    if let place = values.place(of: sensor.name) {
      try? host.setValues([PropertyValue.Entry(key: sensor.name, value: values.declarations[place].initial)])
    }
    idle.isOccupied = sensors.contains(where: \.isOccupied)
  }

  // MARK: The kernel's input

  /// Opens devices that were not there before.
  func lookForDevices() {
    for sensor in sensors where sensor.device == nil && !sensor.source.isChannel { find(sensor) }
  }

  private func find(_ sensor: Sensor) {
    guard let code = EventName.number(of: sensor.source.event) else { return }
    for path in (try? DeviceDirectory().nodes()) ?? [] {
      guard let device = try? EvdevDevice(path: path),
        DeviceMatch(name: sensor.source.device).matches(device.description),
        let value = device.value(ofType: code.type, code: code.code)
      else { continue }
      device.receiveOnly(type: code.type, code: code.code)
      let open = OpenDevice(device)
      do throws(SystemError) {
        try open.watch(in: loop) { [weak self, weak sensor] frame in
          guard let self, let sensor else { return }
          for event in frame.events where event.type == code.type && event.code == code.code {
            take(Double(event.value), of: sensor)
          }
        } onLoss: { [weak self, weak sensor] error in
          if let self, let sensor { lose(sensor, because: "\(error)") }
        }
      } catch {
        log.warning("\(sensor.name): its sensor cannot be watched. \(error)")
        continue
      }
      log.info("\(sensor.name): \(sensor.source.event) of \(device.description.title) (\(path))")
      sensor.device = open
      return take(Double(value), of: sensor)
    }
  }

  // MARK: Channels of IIO

  /// Reads channels again once somebody needs them.
  package func turnEnds(at now: Timestamp) {
    for sensor in sensors where sensor.source.isChannel && sensor.timer == nil && isNeeded(sensor) {
      if now >= sensor.next { read(sensor) } else { wait(sensor) }
    }
  }

  private func isNeeded(_ sensor: Sensor) -> Bool { sensor.source.wakes || !idle.isDark || hasClients() }

  private func read(_ sensor: Sensor) {
    sensor.timer = nil
    sensor.next = loop.now.advanced(bySeconds: sensor.source.every)
    if sensor.channel == nil {
      sensor.channel = SensorChannel(sensor.source.event, ofDevice: sensor.source.device, in: folder)
    }
    if let channel = sensor.channel {
      if let number = channel.read() {
        take(number, of: sensor)
      } else {
        lose(sensor, because: "The kernel does not say its value.")
      }
    }
    if isNeeded(sensor) { wait(sensor) }
  }

  private func wait(_ sensor: Sensor) {
    sensor.timer = loop.addTimer(at: sensor.next) { [weak self, weak sensor] in
      if let self, let sensor { read(sensor) }
    }
  }
}
