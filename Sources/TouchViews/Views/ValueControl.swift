import TouchCore

/// A control that shows a value, and most often lets a touch change it: the base of `Slider`, `Switch`,
/// `Stepper`, `SegmentedControl`, `ProgressView` and `Gauge`.
///
/// Each kind says where its parts are, so that touches and painters agree. Parts are in the view's own bounds
/// space.
open class ValueControl: Control {
  /// The colours of a control's parts. They are painted over the background.
  public struct Colors: Hashable, Sendable {
    /// The colour that stands for the value: of the filled part of a track, a switch that is on, the segment
    /// that is chosen. (`UISlider.minimumTrackTintColor`, `UISwitch.onTintColor`.)
    public var tint = Color(red: 0x3a, green: 0xa6, blue: 0xff)
    /// The colour of the rest. (`UISlider.maximumTrackTintColor`.)
    public var track = Color(red: 0x34, green: 0x43, blue: 0x54)
    /// The colour of the part that a finger holds, and of marks on other parts. (`UISlider.thumbTintColor`.)
    public var thumb = Color(red: 0xf2, green: 0xf6, blue: 0xfa)

    /// In place of the tint, of a slider, a progress bar and a gauge: its colours from the beginning of the
    /// track to its end, whatever its kind and angle are; nil for none.
    public var tintGradient: Gradient?
    /// The same in place of the track.
    public var trackGradient: Gradient?

    /// Makes colours for a dark background.
    public init() {}
  }

  /// The colours of the parts.
  public final var colors: Colors {
    @inlinable get { storedColors }
    set {
      guard newValue != storedColors else { return }
      willChange()
      storedColors = newValue
      setNeedsDisplay()
    }
  }
  @usableFromInline final var storedColors = Colors()
  /// Whether valueChanged is sent at each change while a touch goes on; if not, once at its end.
  /// (`UISlider.isContinuous`, `UIStepper.isContinuous`.)
  public final var isContinuous = true
  private var owesValueChanged = false

  /// The side of the smallest square in which a finger finds a control. (Apple's Human Interface Guidelines:
  /// a button needs a hit region of at least 44 × 44 points.)
  package static let fingerSize = 44.0

  /// Sets the value because of a touch, and sends valueChanged for a change.
  final func change(to number: Double, _ touch: Touch, _ event: Event) {
    // Not in place: a property that can be overridden is changed in place through memory from the heap.
    guard let old = controlValue else { return }
    var new = old
    new.number = number
    guard new != old else { return }
    controlValue = new
    owesValueChanged = true
    if isContinuous { sendOwed(touch, event) }
  }

  private func sendOwed(_ touch: Touch, _ event: Event) {
    guard owesValueChanged else { return }
    owesValueChanged = false
    send(.valueChanged, touch, event)
  }

  open override func endTracking(_ touch: Touch, with event: Event) {
    super.endTracking(touch, with: event)
    sendOwed(touch, event)
  }

  /// Keeps the value that the touch has changed, like a `UISlider`.
  open override func cancelTracking(_ touch: Touch, with event: Event) {
    super.cancelTracking(touch, with: event)
    sendOwed(touch, event)
  }

  override func valueDidChange(from old: ControlValue?) { setNeedsDisplay() }

  override var showsStatesBehind: Bool { false }

  /// The value of a control that can show any place between two values; else nil.
  var presentableValue: ControlValue? { nil }
}

extension ValueControl {
  /// The number that the control holds, in its own units. Setting it takes the nearest number that the limits
  /// and the step allow, and sends no action; NaN changes nothing. (`UISlider.value`, `UIStepper.value`.)
  public final var value: Double {
    get { controlValue?.number ?? 0 }
    set { controlValue?.number = newValue }
  }

  /// The smallest value. The value follows, and so does `maximumValue` if it is smaller.
  /// (`UISlider.minimumValue`.)
  public final var minimumValue: Double {
    get { controlValue?.minimum ?? 0 }
    set { controlValue?.setLimits(minimum: newValue) }
  }

  /// The largest value. The value follows, and so does `minimumValue` if it is larger.
  /// (`UISlider.maximumValue`.)
  public final var maximumValue: Double {
    get { controlValue?.maximum ?? 0 }
    set { controlValue?.setLimits(maximum: newValue) }
  }

  /// The distance between two values, counted from `minimumValue`; 0 for any value between the limits.
  /// (`UIStepper.stepValue`.)
  public final var stepValue: Double {
    get { controlValue?.step ?? 0 }
    set {
      guard let old = controlValue else { return }
      controlValue = ControlValue(old.number, minimum: old.minimum, maximum: old.maximum, step: newValue)
    }
  }

  /// Sets the value, and has pictures move there in a fifth of a second if asked to. No action is sent.
  /// (`UISlider.setValue(_:animated:)`, `UIProgressView.setProgress(_:animated:)`.)
  public final func setValue(_ value: Double, animated: Bool) {
    animate(withDuration: animated ? 0.2 : 0) { self.value = value }
  }
}

extension ValueControl: ContentDrawing {}

extension Control {
  /// The finger with which a pan or a swipe of another view would take a drag along the control; nil for any
  /// other gesture. It is judged in the control's own space, so a control that is turned keeps what runs
  /// along it on the screen.
  final func fingerAlong(ofOther recognizer: GestureRecognizer) -> Touch? {
    guard recognizer.view !== self,
      recognizer is PanGestureRecognizer || recognizer is SwipeGestureRecognizer,
      recognizer.touches.count == 1, let touch = recognizer.touches.first
    else { return nil }
    // A touch that stops a scroll view has gone nowhere, and is not the control's.
    let way = convertFromWindow(touch.location.vector(from: touch.beganSample.location))
    return abs(way.x) > abs(way.y) ? touch : nil
  }
}

extension ValueControl.Colors {
  var tintFill: Fill {
    get { tintGradient.map(Fill.gradient) ?? .color(tint) }
    set { set(newValue, \.tint, \.tintGradient) }
  }

  var trackFill: Fill {
    get { trackGradient.map(Fill.gradient) ?? .color(track) }
    set { set(newValue, \.track, \.trackGradient) }
  }

  private mutating func set(
    _ fill: Fill, _ color: WritableKeyPath<Self, Color>, _ gradient: WritableKeyPath<Self, Gradient?>
  ) {
    switch fill {
    case .color(let plain): (self[keyPath: color], self[keyPath: gradient]) = (plain, nil)
    case .gradient(let blended):
      // What is painted in one colour takes the one in the middle.
      (self[keyPath: color], self[keyPath: gradient]) = (blended.middle, blended)
    }
  }
}

extension Double {
  /// The largest even number of units that is not above a length, so that halves of it are whole and edges
  /// stay sharp.
  var flooredToEven: Double { self < 2 ? max(0, self) : (self / 2).rounded(.down) * 2 }
}

extension LocalRect {
  /// A bar of this height and the rectangle's width, in its middle.
  func middleBar(height: Double) -> LocalRect {
    LocalRect(
      x: minX, y: minY + ((maxY - minY - height) / 2).rounded(.down), width: maxX - minX, height: height)
  }
}
