import TouchKit

/// A clock face that draws itself, starts its timer when it is shown, and has a size of its own.
final class ClockFace: View {
  private var seconds = 0
  private var timer: Cancellable?

  init() {
    super.init(id: "clock", frame: .zero)
    background = .clear
  }

  override var intrinsicContentSize: Size { Size(width: 80, height: 80) }

  override func didMoveToWindow() {
    timer?.cancel()
    guard window != nil else { return }
    timer = loop?.addTimer(every: .seconds(1)) { [unowned self] in
      seconds += 1
      setNeedsDisplay()
    }
  }

  override func draw(in context: GraphicsContext) {
    let face = bounds.insetBy(dx: 2, dy: 2)
    context.fill(face.ellipse, with: .darkGray)
    context.stroke(face.ellipse, width: 2, with: .white)
    context.clipped(to: face.ellipse) {
      context.fill(
        Rect(x: 0, y: bounds.height / 2, width: bounds.width, height: bounds.height / 2),
        with: Color.blue.withAlpha(0.5))
    }
    context.transformed(by: .rotation(degrees: Double(seconds) * 6)) {
      context.fill(Rect(x: -1, y: -30, width: 2, height: 30), cornerRadius: 1, with: .white)
    }
    context.draw("\(seconds) s", in: bounds, style: TextStyle(size: 14, weight: .bold, alignment: .center))
  }
}

/// A card that is dragged, pinched, and put back by two taps.
final class Card: View {
  private let title = Label("Card")
  private let home: LocalRect

  override init(id: String = "", frame: LocalRect = .zero) {
    home = frame
    super.init(id: id, frame: frame)
    background = Color(hex: "#16a085")
    cornerRadius = 12
    border = .init(color: .white, width: 1)
    clipsToBounds = true
    isMultipleTouchEnabled = true
    title.textStyle.alignment = .center
    addSubview(title)

    addGestureRecognizer(PanGestureRecognizer()) { [unowned self] pan in
      let moved = pan.translation(in: superview)
      center = Point(x: center.x + moved.x, y: center.y + moved.y)
      pan.setTranslation(.zero, in: superview)
    }
    addGestureRecognizer(PinchGestureRecognizer()) { [unowned self] pinch in
      transform = transform.then(.scale(x: pinch.scale, y: pinch.scale))
      pinch.scale = 1
    }
    let twice = TapGestureRecognizer()
    twice.numberOfTapsRequired = 2
    twice.action = { [unowned self] _ in
      transform = .identity
      self.frame = home
    }
    addGestureRecognizer(twice)
    let press = LongPressGestureRecognizer()
    press.minimumPressDuration = 0.8
    addGestureRecognizer(press) { [unowned self] press in
      if press.state == .began { title.text = "Held" }
    }
  }

  override func layoutSubviews() {
    super.layoutSubviews()
    title.frame = bounds.inset(by: Insets(top: 8, left: 8, bottom: 8, right: 8))
  }
}

final class Panel: ViewController {
  private let count = Label("0", id: "count")
  private let horn = Button("Horn", id: "horn")
  private let volume = Slider(id: "volume", frame: Rect(x: 10, y: 180, width: 200, height: 40))
  private let loud = Switch(id: "loud", frame: Rect(x: 220, y: 180, width: 60, height: 40))
  let card = Card(id: "card", frame: Rect(x: 200, y: 20, width: 100, height: 100))
  private var presses = 0 {
    didSet { count.text = "\(presses)" }
  }

  override func viewDidLoad() {
    super.viewDidLoad()
    view.background = .black
    let stack = StackView()
    stack.axis = .vertical
    stack.spacing = 8
    stack.alignment = .leading
    stack.frame = Rect(x: 10, y: 10, width: view.bounds.width / 2, height: 160)
    stack.addArrangedSubview(count)
    stack.addArrangedSubview(ClockFace())
    stack.insertArrangedSubview(horn, at: 0)
    view.addSubview(stack)
    view.addSubview(volume)
    view.insertSubview(loud, belowSubview: volume)
    view.addSubview(card)

    horn.addAction(for: .touchUpInside) { [unowned self] in presses += 1 }
    (volume.maximumValue, volume.value) = (100, 20)
    volume.addAction(for: .valueChanged) { [unowned self] in
      horn.alpha = 0.5 + volume.value / 200
    }
    loud.isOn = true
    loud.addAction(for: .valueChanged) { [unowned self] in volume.isEnabled = loud.isOn }
    loop?.addTimer(after: .seconds(3)) { [weak self] in self?.count.text = "late" }
  }

  override func touchesEnded(_ touches: [Touch], with event: Event) -> Disposition {
    guard let touch = touches.first else { return .forward }
    print("the background was touched at \(touch.location(in: view))")
    return .handled
  }
}

/// Tiles that scroll, page by page.
func gallery() -> ScrollView {
  let scroll = ScrollView(frame: Rect(x: 0, y: 0, width: 100, height: 60))
  scroll.isPagingEnabled = true
  scroll.bounces = false
  for index in 0..<3 {
    let tile = View(frame: Rect(x: Double(index) * 100, y: 0, width: 100, height: 60))
    tile.background = [.red, .green, .blue][index]
    scroll.addSubview(tile)
  }
  scroll.contentSize = Size(width: 300, height: 60)
  return scroll
}
