import TouchCore
import TouchInput
import TouchKit
import TouchMeasure
import TouchSystem

final class CalibrationRound: Handler {
  let name = "calibrate"
  /// Called after each accepted touch.
  var onProgress: () -> Void = {}
  /// Called with the touches of all targets, the check point last, and with their device.
  var onEnd: ([CalibrationFit.Sample], (description: DeviceDescription, kind: DeviceKind)) -> Void = { _, _ in
  }

  private let targets: CalibrationTargets
  private let picture: CalibrationScreen
  private let devices: DeviceManager
  private let loop: EventLoop
  private let report: (String) -> Void
  private let isMeant: (DeviceDescription, DeviceKind) -> Bool
  private var sampler: CalibrationSampler
  private var samples: [CalibrationFit.Sample] = []
  private var device: (description: DeviceDescription, kind: DeviceKind)?
  private var timer: Int?

  /// Reports instructions and errors, and ignores devices that are not meant.
  init(
    targets: CalibrationTargets, picture: CalibrationScreen, devices: DeviceManager, loop: EventLoop,
    report: @escaping (String) -> Void, isMeant: @escaping (DeviceDescription, DeviceKind) -> Bool
  ) {
    (self.targets, self.picture, self.devices, self.loop) = (targets, picture, devices, loop)
    (self.report, self.isMeant) = (report, isMeant)
    let canvas = picture.pipeline.geometry.canvasSize
    sampler = CalibrationSampler(reach: 0.05 * max(canvas.width, canvas.height))
  }

  func begin() { showNext() }

  func handle(_ touches: [Touch], phase: Touch.Phase, event: Event, for responder: Responder) -> Disposition {
    for touch in touches where takesPart(touch.contact.device) {
      switch phase {
      case .began: take(.began, touch, touch.location)
      case .moved: for sample in touch.coalescedSamples { take(.moved, touch, sample.location) }
      case .ended: take(.ended, touch, touch.location)
      case .cancelled: take(.cancelled, touch, touch.location)
      case .stationary, .entered, .left: break
      }
    }
    return .handled
  }

  private func takesPart(_ id: DeviceID) -> Bool {
    // The touches of a removed device are cancelled, which the round has to follow.
    devices.device(id).map { isMeant($0.description, $0.kind) } ?? true
  }

  private func take(_ kind: ContactChange.Kind, _ touch: Touch, _ location: WindowPoint) {
    // A sample that is already complete is taken first.
    if let outcome = sampler.advance(to: touch.timestamp) { act(on: outcome) }
    if let outcome = sampler.take(kind, of: touch.contact, at: location, time: touch.timestamp) {
      act(on: outcome)
    }
    waitForSilence()
  }

  private func waitForSilence() {
    if let timer { loop.cancelTimer(timer) }
    timer = nil
    guard let deadline = sampler.deadline else { return }
    let microseconds = deadline.microseconds(since: MonotonicClock.now())
    timer = loop.addTimer(milliseconds: Int(max(0, microseconds) + 999) / 1000, repeats: false) {
      [unowned self] in
      timer = nil
      if let outcome = sampler.advance(to: MonotonicClock.now()) { act(on: outcome) }
      waitForSilence()
    }
  }

  private func act(on outcome: CalibrationSampler.Outcome) {
    switch outcome {
    case .pressed: picture.mark(isPressed: true)
    case .undone(let reason):
      picture.mark(isPressed: reason == .bounce)
      show(reason.sentence)
    case .taken(let location, let id): take(location, from: id)
    }
  }

  private func take(_ location: WindowPoint, from id: DeviceID) {
    guard let found = devices.device(id) else {
      // The device was unplugged before the lifted finger counted.
      return picture.mark(isPressed: false)
    }
    if device == nil { report("calibrating \(found.description.title) (\(found.description.path))") }
    device = found
    sampler.device = id
    samples.append(targets.sample(of: targets.points[samples.count], touchedAt: location))
    onProgress()
    if samples.count == 2 { guess(found) }
    guard samples.count == targets.points.count else { return showNext() }
    onEnd(samples, found)
  }

  /// Reports a likely mistake as soon as two touches show it.
  private func guess(_ device: (description: DeviceDescription, kind: DeviceKind)) {
    let (x, y) = device.description.capabilities.positionAxes(of: device.kind)
    if let sentence = CalibrationGuess.sentence(samples, x: x, y: y) { report(sentence) }
  }

  private func showNext() {
    let count = targets.points.count - 1
    let target = targets.points[samples.count]
    picture.show(samples.count)
    let name = samples.count < count ? "point \(samples.count + 1) of \(count)" : "the check point"
    let place = picture.pipeline.geometry.displayFromWindow.map(target, to: DisplaySpace.self)
    report("\(name): touch the cross, at pixel \(place.x.plain),\(place.y.plain) of the display")
    picture.say("Touch the cross for a moment (\(name)). Press any key to cancel.")
  }

  private func show(_ sentence: String) {
    report(sentence)
    picture.say(sentence)
  }
}

extension CalibrationSampler.Reason {
  fileprivate var sentence: String {
    switch self {
    case .secondFinger: "Two fingers. Lift both, and touch the cross with one."
    case .otherDevice: "Another device was touched. Lift the finger, and touch the cross again."
    case .tooShort: "That was too short. Touch the cross for a moment."
    case .bounce: "The touch bounced. Hold still, and lift the finger."
    case .moved: "The finger moved. Touch the cross, and hold still."
    case .cancelled: "The device cancelled that touch. Touch the cross again."
    }
  }
}
