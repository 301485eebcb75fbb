import TouchCore
import TouchInput
import TouchInspection
import TouchJSON
import TouchMeasure
import TouchSystem

/// The monitor's output for programs: one JSON object in each line.
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

  init(_ output: LineOutput) { self.output = output }

  mutating func added(_ device: DeviceDescription, _ use: MonitoredUse) {
    line("device", device) {
      $0.field("state", use.kind == nil ? "unused" : "used")
      $0.field("kind", use.kind?.rawValue)
      $0.field("reason", use.reason)
      $0.field("filters", use.filters.map(\.kind.rawValue))
      $0.field("remarks", use.warnings)
    }
  }

  mutating func removed(_ device: DeviceDescription, because reason: String, _ outcome: MonitoredOutcome) {
    line("device", device) {
      $0.field("state", "gone")
      $0.field("reason", reason)
      $0.add(outcome)
    }
  }

  mutating func frame(_ frame: MonitoredFrame) {
    line("frame", frame.device) {
      $0.field("time_us", Int(frame.frame.time.microseconds))
      $0.field("interval_ms", frame.interval)
      $0.field("cause", frame.frame.cause == .resync ? "resync" : "report")
      $0.objects("events", of: frame.frame.events) { json, event in
        json.field("type", EventName.type(event.type) ?? String(event.type))
        json.field("code", EventName.code(event.code, of: event.type) ?? String(event.code))
        json.field("value", Int(event.value))
      }
      $0.add(frame.outcome)
    }
  }

  mutating func deadline(of device: DeviceDescription, at time: Timestamp, _ outcome: MonitoredOutcome) {
    line("deadline", device) {
      $0.field("time_us", Int(time.microseconds))
      $0.add(outcome)
    }
  }

  mutating func rate(_ rate: ReportRate, of device: DeviceDescription) {
    for (fingers, milliseconds) in rate.rates {
      line("rate", device) {
        $0.field("fingers", fingers)
        $0.field("ms", milliseconds)
        $0.field("slow", milliseconds >= ReportRate.poor)
      }
    }
  }

  mutating func readDelay(_ delay: LatencyHistogram, of device: DeviceDescription) {
    line("latency", device) { $0.object("read_us", delay.write) }
  }

  mutating func rest(_ spread: Spread, seconds: Double, of device: DeviceDescription) {
    line("rest", device) {
      $0.field("seconds", seconds)
      $0.field("spread", spread.value)
      $0.field("unit", spread.isInMillimetres ? "mm" : "device")
    }
  }

  mutating func violation(
    _ violation: ProtocolAudit.Violation, count: Int, example: String, of device: DeviceDescription
  ) {
    line("violation", device) {
      $0.field("violation", violation.sentence)
      $0.field("count", count)
      $0.field("first", example)
    }
  }

  mutating func notice(_ notice: InputNotice, of device: DeviceDescription) {
    line("notice", device) { $0.field("notice", notice.sentence) }
  }

  private mutating func line(
    _ event: String, _ device: DeviceDescription, _ fields: (inout JSONWriter) -> Void
  ) {
    output.write(
      json.line("event", event) {
        $0.field("device", device.name)
        $0.field("path", device.path)
        fields(&$0)
      })
  }
}

extension JSONWriter {
  fileprivate mutating func add(_ outcome: MonitoredOutcome) {
    objects("contacts", of: outcome.contacts) { json, contact in
      json.field("contact", contact.device.contact.serial)
      json.field("change", "\(contact.device.kind)")
      json.field("position", x: contact.device.position.x, y: contact.device.position.y)
      json.field("window", x: contact.window.location.x, y: contact.window.location.y)
      json.add(contact.device.attributes)
    }
    objects("touches", of: outcome.touches) { json, news in
      json.field("touch", news.touch)
      json.field("phase", news.what.rawValue)
      json.field("view", news.view)
    }
  }
}
