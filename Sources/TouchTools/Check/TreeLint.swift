import TouchConfig
import TouchCore
import TouchExpressions
import TouchPixels
import TouchRender
import TouchSystem
import TouchViews

/// Finds probable mistakes in a valid configuration, such as views that can never be touched or read, by the
/// hit test and the painter. It leaves out views that are hidden, transparent, disabled or moved, with what
/// is in or under them, since an action may change that.
package struct TreeLint {
  let configuration: Configuration
  let tree: ViewTree
  let geometry: DisplayGeometry
  private let boxes: [WindowRect]
  private let moving: Set<String>

  struct Finding {
    let place: SourceLocation
    /// The sentence without figures, which differ between languages and sizes.
    let sentence: String
    var figures = ""
    var isOfSize = false
  }

  /// - Parameter display: the display's size in pixels.
  private init(_ configuration: Configuration, on display: Size) {
    geometry = configuration.canvasLayout.geometry(on: display)
    tree = ViewTree(configuration, geometry: geometry)
    self.configuration = tree.configuration
    boxes = tree.viewsByID.values.map { HitRegion(of: $0).box }
    let steps = configuration.actions.flatMap(\.steps).flatMap(\.step.all)
    moving = Set(
      steps.compactMap(\.movedView)
        + configuration.bindings.filter { $0.target == .property && $0.setting.property.movesViews }.map(
          \.view))
  }

  /// Returns every warning in the file's order, for displays of some sizes in pixels, or for the one that
  /// suits the file. A warning that depends on the size names the sizes. It throws if the tree is too large.
  /// - Parameter isAccessible: whether to look for what people who do not see well would miss.
  package static func warnings(
    of configuration: Configuration, on displays: [Size], isAccessible: Bool = false
  ) throws(DisplayError) -> [Diagnostic] {
    let canvas = configuration.canvasLayout
    let namesSize = !displays.isEmpty || canvas.size == nil || canvas.scale == .extend
    var found: [(finding: Finding, in: TreeLint, sizes: [String])] = []
    var places: [String: Int] = [:]
    for display in displays.isEmpty ? [canvas.naturalDisplaySize] : displays {
      let lint = TreeLint(configuration, on: display)
      let size = "\(display.width.plain)×\(display.height.plain)"
      for finding in try lint.findings() + (isAccessible ? lint.accessibleFindings() : []) {
        let place = finding.place
        let key = "\(place.file):\(place.line):\(place.column):\(finding.sentence)"
        if let known = places[key] {
          if !found[known].sizes.contains(size) { found[known].sizes.append(size) }
        } else {
          places[key] = found.count
          found.append((finding, lint, [size]))
        }
      }
    }
    return found.map { finding, lint, sizes in
      let start = finding.isOfSize && namesSize ? "at \(sizes.joined(separator: " and ")), " : ""
      return lint.warning(at: finding.place, start + finding.sentence + finding.figures)
    }.sorted { ($0.place, $0.message) < ($1.place, $1.message) }
  }

  private func findings() throws(DisplayError) -> [Finding] {
    let others = unusedHandlers() + unplacedControls() + accessWarnings() + brokenPictures()
    return others.map { Finding(place: $0.place, sentence: $0.message) } + unreachableViews()
      + (try lookFindings())
  }

  func warning(at place: SourceLocation, _ message: String) -> Diagnostic {
    configuration.diagnostic(at: place, message, severity: .warning)
  }

  /// Returns warnings about unused handlers. Processes and plugins run, so they are used.
  private func unusedHandlers() -> [Diagnostic] {
    let named = tree.attachments.flatMap(\.handlers) + tree.gestureAttachments.flatMap(\.handlers)
    let used = Set(named + configuration.actions.flatMap(\.steps).flatMap(\.recipients))
    return configuration.handlers.filter { !$0.worksAlone && !used.contains($0.name) }.map {
      warning(
        at: configuration.handlerLocations[$0.name] ?? .start,
        "no responder names the handler \"\($0.name)\"; add it to the handlers of a view, or remove it")
    }
  }

  private func unplacedControls() -> [Diagnostic] {
    return configuration.views.compactMap { view in
      let parent = view.parent.map { configuration.views[$0] }
      guard view.isArranged, view.kind.traits.contains(.small), parent == nil || parent?.kind == .pages else {
        return nil
      }
      return warning(
        at: view.place,
        "\(view.id) has no frame, and so fills \(parent.map { "the pages \($0.id)" } ?? "the window"); "
          + "give frame: [x, y, width, height], or put it into a stack")
    }
  }

  private func brokenPictures() -> [Diagnostic] {
    var seen: Set<String> = []
    return configuration.views.compactMap(\.picture).compactMap { image in
      guard seen.insert(image.path).inserted, PictureFile.problem(at: image.path) == nil else { return nil }
      do throws(DisplayError) {
        _ = try PictureReader.read(path: image.path)
        return nil
      } catch {
        return warning(at: image.place, "\(PaintNotice.imageUnreadable(error))")
      }
    }
  }

  // MARK: Touching

  private func unreachableViews() -> [Finding] {
    guard tree.window.fixedTarget == nil else { return [] }
    let gestures = Set(configuration.gestures.compactMap(\.owner))
    let redirected = Set(configuration.views.compactMap(\.redirect))
    return configuration.views.indices.compactMap { index in
      let values = configuration.views[index]
      let isTouched = values.kind.isControl || !values.handlers.isEmpty || gestures.contains(index)
      guard isTouched, !redirected.contains(values.id), let view = tree.viewsByID[values.id],
        !showsNoRow(view, values), let problem = problem(with: view)
      else { return nil }
      return Finding(
        place: values.place, sentence: "\(values.id) can never be touched: \(problem)", isOfSize: true)
    }
  }

  /// Returns the reason why a view is never hit; nil if it is, or if that may change.
  private func problem(with view: View) -> String? {
    let path = Array(sequence(first: view) { $0.superview })
    if path.contains(where: { moving.contains($0.id) }) { return nil }
    reveal(path)
    for ancestor in path {
      switch ancestor.hitTestRefusal {
      case .hidden, .transparent, .disabled, .otherPage: return nil
      case .userInteractionDisabled:
        let owner = ancestor === view ? "its" : "\(ancestor.id)'s"
        let usual = [.label, .image].contains(ancestor.kind)
        return "\(owner) user_interaction is off" + (usual ? ", as in every label and image" : "")
          + "; write user_interaction: true"
      case .noPointerEvents: return "pointer_events of \(ancestor.id) is none; write auto, or remove the key"
      case nil: break
      }
    }
    let region = HitRegion(of: view)
    guard !region.isEmpty else {
      return "it has no area; give it a \(view.isArranged ? "size" : "frame") with a width and a height"
    }
    var covers: [ObjectIdentifier: (view: View, count: Int)] = [:]
    func isHit(at points: [WindowPoint]) -> Bool {
      for point in points {
        guard let hit = tree.window.hitView(at: point, with: nil) else { continue }
        if hit.isDescendant(of: view) { return true }
        covers[ObjectIdentifier(hit), default: (hit, 0)].count += 1
      }
      return false
    }
    if isHit(at: region.grid) { return nil }
    guard let fields = region.fields(between: boxes), !isHit(at: fields) else { return nil }
    let cover = covers.values.max { $0.count < $1.count }?.view
    // A sheet that is shown at first can be dismissed.
    if cover?.confinesFocus ?? false { return nil }
    if let cover, sequence(first: cover, next: \.superview).contains(where: { moving.contains($0.id) }) {
      return nil
    }
    return self.problem(with: view, region, path, cover)
  }

  /// Shows the pages that the views on a path to the window are on, and scrolls to them.
  private func reveal(_ path: [View]) {
    for (child, parent) in zip(path, path.dropFirst()) {
      child.enclosingPages?.page = child
      guard let scrollView = parent.scrollView, let view = path.first else { continue }
      let rect: WindowRect = view.windowFrame
      if let local = scrollView.windowFromLocal.inverse {
        scrollView.scrollRectToVisible(local.bounding(rect))
      }
    }
  }

  private func problem(with view: View, _ region: HitRegion, _ path: [View], _ cover: View?) -> String {
    if !region.box.meets(HitRegion(of: tree.window).box) {
      return "it lies outside the canvas, which has \(tree.window.bounds.size.width.plain) × "
        + "\(tree.window.bounds.size.height.plain) units; move it"
    }
    for (child, parent) in zip(path, path.dropFirst())
    where !(parent.hitBehavior?.overflows ?? false)
      && !HitRegion(of: child).box.meets(HitRegion(of: parent).box)
    {
      return "\(child === view ? "it" : child.id) lies outside \(parent.id), and what is outside is not hit; "
        + "enlarge \(parent.id), or write overflow_hits: true there"
    }
    guard let cover, !view.isDescendant(of: cover) else {
      return "no hit test finds it; `touchtree hit \(configuration.file) X,Y --explain` shows why"
    }
    return
      "\(cover.id) covers it; put it after \(cover.id) in the file, or write user_interaction: false there"
  }
}

/// The region in which a view could be hit, as a box in window space.
private struct HitRegion {
  let box: WindowRect
  private let view: View
  private let local: LocalRect

  init(of view: View) {
    self.view = view
    local = view.bounds.outset(by: view.hitBehavior?.slop ?? .zero)
    box = view.windowFromLocal.bounding(local)
  }

  var isEmpty: Bool { !(local.size.width > 0 && local.size.height > 0) }

  /// The number of points in each direction.
  private static let gridSize = 16
  /// The most fields in each direction. A tree with more is not laid out by hand.
  private static let mostFields = 64

  var grid: [WindowPoint] {
    let step = (x: local.size.width / Double(Self.gridSize), y: local.size.height / Double(Self.gridSize))
    return (0..<Self.gridSize * Self.gridSize).map { index in
      let (row, column) = index.quotientAndRemainder(dividingBy: Self.gridSize)
      return view.convertToWindow(
        LocalPoint(
          x: local.minX + step.x * (Double(column) + 0.5), y: local.minY + step.y * (Double(row) + 0.5)))
    }
  }

  /// Returns one point in each field between the edges of other views' boxes, so that no gap between upright
  /// views is missed; nil for too many.
  func fields(between boxes: [WindowRect]) -> [WindowPoint]? {
    let others = boxes.filter { $0.meets(box) } + [box]
    let columns = Self.middles(others.flatMap { [$0.minX, $0.maxX] }, from: box.minX, to: box.maxX)
    let rows = Self.middles(others.flatMap { [$0.minY, $0.maxY] }, from: box.minY, to: box.maxY)
    guard max(columns.count, rows.count) <= Self.mostFields else { return nil }
    return rows.flatMap { y in columns.map { x in WindowPoint(x: x, y: y) } }
  }

  private static func middles(_ edges: [Double], from least: Double, to most: Double) -> [Double] {
    let inside = Set(edges).filter { $0 >= least && $0 <= most }.sorted()
    return zip(inside, inside.dropFirst()).map { ($0 + $1) / 2 }
  }
}

extension Rect {
  fileprivate func meets(_ other: Self) -> Bool {
    minX < other.maxX && other.minX < maxX && minY < other.maxY && other.minY < maxY
  }
}

extension Configuration.Step {
  fileprivate var recipients: [String] {
    step.all.compactMap { if case .send(_, to: .handler(let name)) = $0 { name } else { nil } }
  }
}

extension ActionStep {
  /// The view that the step itself moves, shows or hides; nil for none.
  fileprivate var movedView: String? {
    switch self {
    case .set(let view, let settings, let computed):
      settings.contains(where: \.property.movesViews) || computed.contains(where: \.property.movesViews)
        ? view : nil
    case .toggle(let view, let property): property.movesViews ? view : nil
    default: nil
    }
  }
}

extension ViewProperty {
  fileprivate var movesViews: Bool { Self.moving.contains(name) }

  private static let moving: Set = [
    "frame", "size", "transform", "bounds_origin", "hidden", "alpha", "user_interaction", "pointer_events",
    "z",
  ]
}

extension HandlerSettings {
  fileprivate var worksAlone: Bool {
    switch kind {
    case .plugin, .process: true
    case .exec: false
    }
  }
}
