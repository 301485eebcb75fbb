import TouchCore
import TouchDaemon
import TouchInput
import TouchMeasure
import TouchSystem

/// The monitor's output for programs: one JSON object a line.
///
/// ```
/// {"event":"device","state":"used","device":"Panel","path":"/dev/input/event3","kind":"multitouch","reason":"…",
///  "filters":["debounce"],"remarks":[]}
/// {"event":"frame","device":"Panel","path":"/dev/input/event3","time_us":8000,"interval_ms":8,"cause":"report",
///  "events":[{"type":"EV_ABS","code":"ABS_MT_POSITION_X","value":512}],
///  "contacts":[{"contact":1,"change":"moved","position":[512,300],"window":[400,240]}],
///  "touches":[{"touch":1,"phase":"moved","view":"ok"}]}
/// {"event":"deadline","device":"Panel","path":"/dev/input/event3","time_us":28000,"contacts":[…],"touches":[…]}
/// {"event":"rate","device":"Panel","path":"/dev/input/event3","fingers":1,"ms":8,"slow":false}
/// {"event":"latency","device":"Panel","path":"/dev/input/event3",
///  "read_us":{"count":20,"p50":90,"p90":140,"p99":210,"max":210}}
/// {"event":"rest","device":"Panel","path":"/dev/input/event3","seconds":2.1,"spread":0.34,"unit":"mm"}
/// {"event":"violation","device":"Panel","path":"/dev/input/event3","violation":"sends frames …","count":3,"first":"at 8 ms"}
/// {"event":"notice","device":"Panel","path":"/dev/input/event3","notice":"reports slot 9, which …"}
/// ```
struct MonitorJSON: MonitorWriter {
  private let output: LineOutput
  private var json = JSONWriter()

  init(_ output: LineOutput) {
    self.output = output
  }

  mutating func came(_ device: DeviceDescription, _ use: MonitoredUse) {
    begin("device", device)
    json.key("state")
    json.value(use.kind == nil ? "unused" : "used")
    json.key("kind")
    json.value(use.kind?.rawValue)
    json.key("reason")
    json.value(use.reason)
    add("filters", use.filters.map(\.kind.rawValue))
    add("remarks", use.warnings)
    end()
  }

  mutating func went(_ device: DeviceDescription, because reason: String, _ outcome: MonitoredOutcome) {
    begin("device", device)
    json.key("state")
    json.value("gone")
    json.key("reason")
    json.value(reason)
    add(outcome)
    end()
  }

  mutating func frame(_ frame: MonitoredFrame) {
    begin("frame", frame.device)
    json.key("time_us")
    json.value(Int(frame.frame.time.microseconds))
    json.key("interval_ms")
    if let interval = frame.interval { json.value(interval) } else { json.value(nil as String?) }
    json.key("cause")
    json.value(frame.frame.cause == .resync ? "resync" : "report")
    json.key("events")
    json.beginArray()
    for event in frame.frame.events { add(event) }
    json.endArray()
    add(frame.outcome)
    end()
  }

  mutating func deadline(of device: DeviceDescription, at time: Timestamp, _ outcome: MonitoredOutcome) {
    begin("deadline", device)
    json.key("time_us")
    json.value(Int(time.microseconds))
    add(outcome)
    end()
  }

  mutating func rate(_ rate: ReportRate, of device: DeviceDescription) {
    for (fingers, milliseconds) in rate.rates {
      begin("rate", device)
      json.key("fingers")
      json.value(fingers)
      json.key("ms")
      json.value(milliseconds)
      json.key("slow")
      json.value(milliseconds >= ReportRate.poor)
      end()
    }
  }

  mutating func readDelay(_ delay: LatencyHistogram, of device: DeviceDescription) {
    begin("latency", device)
    json.key("read_us")
    delay.write(to: &json)
    end()
  }

  mutating func rest(_ spread: Spread, seconds: Double, of device: DeviceDescription) {
    begin("rest", device)
    json.key("seconds")
    json.value(seconds)
    json.key("spread")
    json.value(spread.value)
    json.key("unit")
    json.value(spread.isInMillimetres ? "mm" : "device")
    end()
  }

  mutating func violation(
    _ violation: ProtocolAudit.Violation, count: Int, example: String, of device: DeviceDescription
  ) {
    begin("violation", device)
    json.key("violation")
    json.value(violation.sentence)
    json.key("count")
    json.value(count)
    json.key("first")
    json.value(example)
    end()
  }

  mutating func notice(_ notice: InputNotice, of device: DeviceDescription) {
    begin("notice", device)
    json.key("notice")
    json.value(notice.sentence)
    end()
  }

  private mutating func begin(_ event: String, _ device: DeviceDescription) {
    json.removeAll()
    json.beginObject()
    json.key("event")
    json.value(event)
    json.key("device")
    json.value(device.name)
    json.key("path")
    json.value(device.path)
  }

  private mutating func end() {
    json.endObject()
    output.write(json.bytes + [UInt8(ascii: "\n")])
  }

  private mutating func add(_ name: StaticString, _ texts: [String]) {
    json.key(name)
    json.beginArray()
    for text in texts { json.value(text) }
    json.endArray()
  }

  private mutating func add(_ outcome: MonitoredOutcome) {
    json.key("contacts")
    json.beginArray()
    for (device, window) in outcome.contacts { add(device, window) }
    json.endArray()
    json.key("touches")
    json.beginArray()
    for news in outcome.touches { add(news) }
    json.endArray()
  }

  private mutating func add(_ event: RawEvent) {
    json.beginObject()
    json.key("type")
    json.value(EventName.type(event.type) ?? String(event.type))
    json.key("code")
    json.value(EventName.code(event.code, of: event.type) ?? String(event.code))
    json.key("value")
    json.value(Int(event.value))
    json.endObject()
  }

  private mutating func add(_ contact: ContactChange, _ change: TouchChange) {
    json.beginObject()
    json.key("contact")
    json.value(contact.contact.serial)
    json.key("change")
    json.value("\(contact.kind)")
    json.key("position")
    json.value(LocalPoint(x: contact.position.x, y: contact.position.y))
    json.key("window")
    json.value(LocalPoint(x: change.location.x, y: change.location.y))
    json.add(contact.attributes)
    json.endObject()
  }

  private mutating func add(_ news: MonitoredOutcome.TouchNews) {
    json.beginObject()
    json.key("touch")
    json.value(news.touch)
    json.key("phase")
    json.value(news.what.rawValue)
    json.key("view")
    json.value(news.view)
    json.endObject()
  }
}
