import TouchCore

extension ViewKind {
  package static let stack = ViewKind(
    "stack", "a stack", "stacks", .forwarded,
    alsoCalled: ["row", "column", "hbox", "vbox", "hstack", "vstack", "grid", "flex", "flexbox", "layout"],
    details: { (stack: StackView) in
      let arrangement = stack.arrangement
      let shape = arrangement.columns.map { "\($0) columns" } ?? arrangement.axis.rawValue
      return [shape + (arrangement.distribution == .fill ? "" : " \(arrangement.distribution.rawValue)")]
    },
    make: { StackView(id: $0) })
}

extension ViewProperty {
  package static let axis = ViewProperty(
    "axis", \StackView.arrangement.axis, .word, is: .nullable,
    "The direction of its views: `horizontal`, `vertical`, or `auto`: as `horizontal` in a window that is wider than high, and else as "
      + "`vertical`. Default: `horizontal`.")

  static let spacing = ViewProperty(
    "spacing", \StackView.arrangement.spacing, .length, is: .nullable, "The space between two views.")

  package static let columns = ViewProperty(
    "columns", \StackView.arrangement.columns, PropertyType.integer(1...100).orNone, is: .nullable,
    "The number of views side by side in a grid, 1 to 100. Default: no grid.")

  static let ofStacks: [ViewProperty] = [
    ViewProperty(
      "insets", \StackView.arrangement.insets, .insets, is: .nullable,
      "The space at its edges: one number, or `[top, left, bottom, right]`."),
    ViewProperty(
      "distribution", \StackView.arrangement.distribution, .word, is: .nullable,
      "How its views share the room along the axis: `fill`, `fill_equally`, `fill_proportionally`, `equal_spacing` or "
        + "`equal_centering`."),
    ViewProperty(
      "alignment", \StackView.arrangement.alignment, .word, is: .nullable,
      "The place of its views across the axis: `fill`, `leading`, `center` or `trailing`."),
    columns,
  ]
}

/// Arranges subviews in a row, a column or a grid. (`UIStackView`.)
///
/// It arranges the subviews that have `isArranged`, in their order; the others keep their frames, as UIKit's
/// do that are not in `arrangedSubviews`. Edges are at whole pixels, where they are sharp, but no finer
/// than whole units where a pixel is larger than a unit.
open class StackView: View {
  /// The direction in which the views follow each other. (`NSLayoutConstraint.Axis`.)
  public enum Axis: String, CaseIterable, Sendable {
    /// Side by side.
    case horizontal
    /// One below the other.
    case vertical
    /// Side by side in a window that is wider than high, and one below the other in one that is not. (UIKit's
    /// way is to set the axis in `traitCollectionDidChange(_:)`.)
    case auto
  }

  /// The sharing of the room along the axis. (`UIStackView.Distribution`.)
  public enum Distribution: String, CaseIterable, Sendable {
    /// The views fill the room. Where they are too small for it, the views without a size of their own take
    /// the rest in equal parts; if there are none, the last view does whose length is not fixed. Where they
    /// are too large, those whose length is not fixed shrink in proportion. (UIKit goes by priorities, which
    /// cannot be set here, and where these are equal, by the order of the views.)
    case fill
    /// The views are equally long and fill the room. Fixed lengths do not count.
    case fillEqually = "fill_equally"
    /// The views keep their lengths, and the rest goes between them in equal parts, never less than
    /// `spacing`.
    case equalSpacing = "equal_spacing"
    /// The views keep their lengths, and their centres are equally far from each other, as long as `spacing`
    /// is left between them.
    case equalCentering = "equal_centering"
    /// The views fill the room, in proportion to the lengths of their content; fixed lengths stay.
    case fillProportionally = "fill_proportionally"
  }

  /// The positions of the views across the axis. (`UIStackView.Alignment`; leading is top in a row.)
  public enum Alignment: String, CaseIterable, Sendable {
    /// Stretches views to the stack's width across the axis.
    case fill
    /// At the left edge of a column, at the upper edge of a row.
    case leading
    /// In the middle.
    case center
    /// At the right edge of a column, at the lower edge of a row.
    case trailing
  }

  /// The arrangement of the subviews. The defaults are UIKit's.
  public struct Arrangement: Hashable, Sendable {
    /// The direction in which the views follow each other.
    public var axis = Axis.horizontal
    /// The space between two views, in units of the stack. (`UIStackView.spacing`.)
    public var spacing = 0.0
    /// Left free at the edges, in units of the stack. (`UIView.layoutMargins` with
    /// `isLayoutMarginsRelativeArrangement`.)
    public var insets = Insets.zero
    /// The sharing of the room along the axis.
    public var distribution = Distribution.fill
    /// The positions of the views across the axis.
    public var alignment = Alignment.fill
    /// The number of views side by side, in columns of the same width; then the next row begins, and
    /// `distribution` is that of the rows. Nil for no grid.
    public var columns: Int?

    /// Makes an arrangement with UIKit's defaults.
    public init() {}
  }

  open override class var standardHitTestClass: View.Type { StackView.self }

  /// Whether arrows stay in the stack as long as they can.
  open override var isFocusGroup: Bool { true }

  /// The arrangement of the subviews.
  public final var arrangement = Arrangement() { didSet { if oldValue != arrangement { setNeedsLayout() } } }

  /// The direction in which the views follow each other. (`UIStackView.axis`.)
  public final var axis: Axis {
    get { arrangement.axis }
    set { arrangement.axis = newValue }
  }

  /// The space between two views, in units of the stack. (`UIStackView.spacing`.)
  public final var spacing: Double {
    get { arrangement.spacing }
    set { arrangement.spacing = newValue }
  }

  /// The sharing of the room along the axis. (`UIStackView.distribution`.)
  public final var distribution: Distribution {
    get { arrangement.distribution }
    set { arrangement.distribution = newValue }
  }

  /// The positions of the views across the axis. (`UIStackView.alignment`.)
  public final var alignment: Alignment {
    get { arrangement.alignment }
    set { arrangement.alignment = newValue }
  }

  /// The subviews that the stack arranges. (`UIStackView.arrangedSubviews`.)
  public final var arrangedSubviews: [View] { subviews.filter(\.isArranged) }

  /// Sets the space after a view; nil for the stack's own `spacing`. It counts in rows and columns, and not
  /// in grids. (`UIStackView.setCustomSpacing(_:after:)`.)
  public final func setCustomSpacing(_ spacing: Double?, after view: View) { view.spacingAfter = spacing }

  /// Adds a view behind the last one in the arrangement. (`UIStackView.addArrangedSubview(_:)`.)
  public final func addArrangedSubview(_ view: View) {
    view.isArranged = true
    addSubview(view)
  }

  /// Adds a view at a place among the arranged ones; places beyond the ends mean the ends.
  /// (`UIStackView.insertArrangedSubview(_:at:)`.)
  public final func insertArrangedSubview(_ view: View, at index: Int) {
    let others = arrangedSubviews.filter { $0 !== view }
    view.isArranged = true
    if others.indices.contains(index) {
      insertSubview(view, belowSubview: others[index])
    } else if index < 0, let first = others.first {
      insertSubview(view, belowSubview: first)
    } else {
      addSubview(view)
    }
  }

  /// Leaves a view out of the arrangement. It stays a subview, where it is, until it is removed from its
  /// superview. (`UIStackView.removeArrangedSubview(_:)`.)
  public final func removeArrangedSubview(_ view: View) {
    if view.superview === self { view.isArranged = false }
  }

  /// The measurements since the last change: a stack in a stack is asked once for each width, however deep it
  /// lies.
  private var sizes: [(width: Double, size: ContentSize)] = []
  /// Whether they were measured for views that stand side by side.
  private var sizesAreOfRow = false

  /// The views that take room: in rows for a grid or a column, all of them in one row otherwise.
  private func rows() -> [ArraySlice<View>] {
    let views = storedSubviews.filter { $0.isArranged && !$0.isHidden }
    if isRow { return views.isEmpty ? [] : [views[...]] }
    let columns = max(1, arrangement.columns ?? 1)
    return stride(from: 0, to: views.count, by: columns).map { views[$0..<min($0 + columns, views.count)] }
  }

  /// Whether the views stand side by side, and not in a grid.
  final var isRow: Bool {
    guard arrangement.columns == nil else { return false }
    return switch arrangement.axis {
    case .horizontal: true
    case .vertical: false
    case .auto: isWindowWide
    }
  }

  private var isWindowWide: Bool {
    guard let size = window?.bounds.size else { return true }
    return size.width > size.height
  }

  private func columnWidth(in width: Double) -> Double {
    let columns = Double(max(1, arrangement.columns ?? 1))
    return max(0, (width - arrangement.spacing * (columns - 1)) / columns)
  }

  /// The spaces between views that follow each other along the axis; of a grid, between its rows.
  private func gaps(_ rows: [ArraySlice<View>]) -> [Double] {
    guard let first = rows.first else { return [] }
    let views = isRow ? first : rows.compactMap(\.first)[...]
    let isGrid = !isRow && (arrangement.columns ?? 1) > 1
    return views.dropLast().map { (isGrid ? nil : $0.spacingAfter) ?? arrangement.spacing }
  }

  // MARK: Its own size

  /// Returns the size that the arranged views need together.
  open override func contentSize(atWidth width: Double) -> ContentSize {
    let isRow = isRow
    if isMeasureStale || sizesAreOfRow != isRow {
      (isMeasureStale, sizesAreOfRow) = (false, isRow)
      sizes.removeAll(keepingCapacity: true)
    }
    if let known = sizes.first(where: { $0.width == width }) { return known.size }
    let insets = arrangement.insets
    var size = innerSize(atWidth: max(0, width - insets.left - insets.right))
    size.width.units += insets.left + insets.right
    size.height.units += insets.top + insets.bottom
    sizes.append((width, size))
    return size
  }

  private func innerSize(atWidth width: Double) -> ContentSize {
    let rows = rows()
    // A stack of which every view is hidden takes no room.
    guard !rows.isEmpty else {
      return ContentSize(width: ContentLength(0, .required), height: ContentLength(0, .required))
    }
    if isRow {
      let views = rows[0]
      let lengths = views.map { $0.arrangedSize(atWidth: .infinity).width }
      let along = sum(lengths, gaps(rows))
      let widths = spans(of: lengths, gaps(rows), in: min(width, along.units))
      let across = zip(views, widths).map { $0.arrangedSize(atWidth: $1.length).height }
      return ContentSize(width: along, height: Self.largest(across))
    }
    let columns = Double(max(1, arrangement.columns ?? 1))
    let column = columnWidth(in: width)
    var widest = Self.largest(rows.joined().map { $0.arrangedSize(atWidth: column).width })
    widest.units = widest.units * columns + arrangement.spacing * (columns - 1)
    return ContentSize(width: widest, height: sum(rows.map { height(of: $0, column) }, gaps(rows)))
  }

  private func height(of row: ArraySlice<View>, _ column: Double) -> ContentLength {
    Self.largest(row.map { $0.arrangedSize(atWidth: column).height })
  }

  /// Of views side by side, across: as long as the longest, and held at that as soon as one of them is.
  private static func largest(_ lengths: [ContentLength]) -> ContentLength {
    let units = lengths.map(\.units).max() ?? 0
    guard let first = lengths.first?.hugging else { return ContentLength(units, .required) }
    return ContentLength(units, lengths.allSatisfy { $0.hugging == first } ? first : .content)
  }

  private func sum(_ lengths: [ContentLength], _ gaps: [Double]) -> ContentLength {
    let gaps = gaps.reduce(0, +)
    var sum = Self.largest(lengths)
    switch arrangement.distribution {
    case .fillEqually: sum.units = sum.units * Double(lengths.count) + gaps
    case .fill, .fillProportionally, .equalSpacing, .equalCentering:
      sum.units = lengths.reduce(gaps) { $0 + $1.units }
      // The view that holds its length least takes the room; between views it costs nothing.
      sum.hugging = lengths.map(\.hugging).min() ?? .required
      let isBetween = arrangement.distribution == .equalSpacing || arrangement.distribution == .equalCentering
      if isBetween && lengths.count > 1 { sum.hugging = .none }
    }
    return sum
  }

  // MARK: Layout

  /// Whether the layout that is being made begins at the right.
  private var isMirrored = false

  open override func layoutSubviews() {
    let rows = rows()
    guard !rows.isEmpty else { return }
    isMirrored = effectiveUserInterfaceLayoutDirection == .rightToLeft
    let insets = arrangement.insets
    let room = LocalRect(
      x: insets.left, y: insets.top, width: max(0, bounds.size.width - insets.left - insets.right),
      height: max(0, bounds.size.height - insets.top - insets.bottom))
    if isRow { layOutRow(rows, in: room) } else { layOut(rows, in: room) }
  }

  private func layOutRow(_ rows: [ArraySlice<View>], in room: LocalRect) {
    let views = rows[0]
    let widths = views.map { $0.arrangedSize(atWidth: .infinity).width }
    for (view, width) in zip(views, spans(of: widths, gaps(rows), in: room.size.width)) {
      let height = across(view.arrangedSize(atWidth: width.length).height, in: room.size.height)
      place(view, width, height, in: room)
    }
  }

  private func layOut(_ rows: [ArraySlice<View>], in room: LocalRect) {
    let column = columnWidth(in: room.size.width)
    let heights = spans(of: rows.map { height(of: $0, column) }, gaps(rows), in: room.size.height)
    for (row, height) in zip(rows, heights) {
      for (index, view) in row.enumerated() {
        let size = view.arrangedSize(atWidth: column)
        var width = across(size.width, in: column)
        width.start += Double(index) * (column + arrangement.spacing)
        var height = height
        // In a row of several views only one decides its height.
        let isOwn = row.count > 1 && arrangement.distribution != .fillEqually
        if isOwn, size.height.hugging == .required { height.length = min(size.height.units, height.length) }
        place(view, width, height, in: room)
      }
    }
  }

  private func place(_ view: View, _ width: Span, _ height: Span, in room: LocalRect) {
    var rect = onPixels(
      LocalRect(
        x: room.minX + width.start, y: room.minY + height.start, width: width.length, height: height.length))
    // All of it is mirrored, insets too.
    if isMirrored { rect.origin.x = bounds.size.width - rect.maxX }
    view.layoutRect = rect
  }

  /// A part of the room along one axis.
  private struct Span {
    var start, length: Double
  }

  /// Returns the place of a view across the axis. A view without a size of its own fills the room.
  private func across(_ length: ContentLength, in room: Double) -> Span {
    let fills = length.hugging == .none || (arrangement.alignment == .fill && length.hugging != .required)
    let units = fills ? room : min(length.units, room)
    let start =
      switch arrangement.alignment {
      case .fill, .leading: 0.0
      case .center: (room - units) / 2
      case .trailing: room - units
      }
    return Span(start: start, length: units)
  }

  /// Shares the room along the axis.
  /// - Parameter gaps: the least space after each length but the last one.
  private func spans(of lengths: [ContentLength], _ gaps: [Double], in room: Double) -> [Span] {
    var gaps = gaps
    let free = max(0, room - gaps.reduce(0, +))
    var units = lengths.map(\.units)
    switch arrangement.distribution {
    case .fillEqually: units = lengths.map { _ in free / Double(lengths.count) }
    case .fillProportionally:
      shrink(&units, lengths, into: free)
      stretchInProportion(&units, lengths, to: free)
    case .equalSpacing where lengths.count > 1:
      shrink(&units, lengths, into: free)
      let reaches = [Double](repeating: 0, count: gaps.count)
      Self.widen(&gaps, reaching: reaches, to: room - units.reduce(0, +))
    case .equalCentering where lengths.count > 1:
      shrink(&units, lengths, into: free)
      let reaches = zip(units, units.dropFirst()).map { ($0 + $1) / 2 }
      Self.widen(&gaps, reaching: reaches, to: room - units.reduce(0, +))
    case .fill, .equalSpacing, .equalCentering:
      shrink(&units, lengths, into: free)
      stretch(&units, lengths, to: free)
    }
    var start = 0.0
    return units.indices.map { index in
      defer { start += units[index] + (index < gaps.count ? gaps[index] : 0) }
      return Span(start: start, length: units[index])
    }
  }

  /// Makes gaps wider until they fill the room, so that each gap and what reaches into it are equally long
  /// together; a gap that is too wide for that stays as it is.
  /// - Parameter reaches: what of the distance between two places lies outside of each gap.
  /// - Parameter room: for all gaps together.
  private static func widen(_ gaps: inout [Double], reaching reaches: [Double], to room: Double) {
    var open = Array(gaps.indices)
    while !open.isEmpty {
      let taken = gaps.indices.reduce(0) { open.contains($1) ? $0 - reaches[$1] : $0 + gaps[$1] }
      let distance = (room - taken) / Double(open.count)
      let wider = open.filter { distance - reaches[$0] >= gaps[$0] }
      if wider.count == open.count {
        for index in open { gaps[index] = distance - reaches[index] }
        return
      }
      open = wider
    }
  }

  private func stretchInProportion(_ units: inout [Double], _ lengths: [ContentLength], to free: Double) {
    let rest = free - units.reduce(0, +)
    let soft = lengths.indices.filter { lengths[$0].hugging != .required }
    let total = soft.reduce(0) { $0 + units[$1] }
    guard rest > 0, !soft.isEmpty else { return }
    for index in soft { units[index] += rest * (total > 0 ? units[index] / total : 1 / Double(soft.count)) }
  }

  private func stretch(_ units: inout [Double], _ lengths: [ContentLength], to free: Double) {
    let rest = free - units.reduce(0, +)
    guard rest > 0 else { return }
    let open = lengths.indices.filter { lengths[$0].hugging == .none }
    let last = lengths.lastIndex { $0.hugging == .content } ?? lengths.lastIndex { $0.hugging == .high }
    let stretched = open.isEmpty ? last.map { [$0] } ?? [] : open
    for index in stretched { units[index] += rest / Double(stretched.count) }
  }

  /// Fixed lengths stay, even if they do not fit: what follows then lies outside the stack.
  private func shrink(_ units: inout [Double], _ lengths: [ContentLength], into free: Double) {
    let excess = units.reduce(0, +) - free
    let soft = lengths.indices.filter { lengths[$0].hugging != .required }
    let total = soft.reduce(0) { $0 + units[$1] }
    guard excess > 0, total > 0 else { return }
    let factor = max(0, total - excess) / total
    for index in soft { units[index] *= factor }
  }
}
