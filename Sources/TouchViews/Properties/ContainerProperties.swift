import TouchCore

// The rows of views that place other views: pages, sheets, stacks and scroll views.

extension ViewProperty {
  // MARK: Pages

  package static let page = ViewProperty(
    "page", .name("the id of one of its subviews"), is: .nullable,
    get: { $0.page.map { .text($0.id) } ?? .null },
    set: { pages, id in pages.page = pages.subviews.first { $0.id == id } },
    problem: { (pages: PagesView, id) in
      let ids = pages.pages.map(\.id)
      guard !ids.contains(id) else { return nil }
      return .badValue(.init(.name, "the id of one of its subviews: \(ids.joined(separator: ", "))"))
    },
    "The id of the subview that is shown. Default: the first one. See [pages](#pages).")
  package static let slide = ViewProperty(
    "slide", \PagesView.slideAxis, .slide, is: .nullable,
    "Whether a finger slides from page to page: `horizontal` or `true`, `vertical`, or `false`. See [pages](#pages)."
  )

  static let pages: [ViewProperty] = [
    page,
    ViewProperty(
      "indicator", \PagesView.showsIndicator, .flag,
      "Whether a dot for each page is shown at the bottom edge. A tap on its right half shows the next page, on its left "
        + "half the previous one."),
    slide,
    ViewProperty(
      "tint", \PagesView.currentDotColor, PropertyType.color.orNone,
      is: [.cosmetic, .nullable, .fixed, .noDefault],
      "The colour of the dot of the page that is shown. Default: one that shows on what is behind it."),
    ViewProperty(
      "track", \PagesView.dotColor, PropertyType.color.orNone,
      is: [.cosmetic, .nullable, .fixed, .noDefault],
      "The colour of the other dots. Default: a faint one."),
  ]

  // MARK: Sheets

  package static let presented = ViewProperty(
    "presented", \SheetView.isPresented, .flag,
    "Whether it is shown, over everything else. See [sheets](#sheets).")

  static let sheets: [ViewProperty] = [
    ViewProperty(
      "alert", \SheetView.isAlert, .flag, is: .fixed,
      "Whether it is a small one in the middle, which neither a tap beside it nor a drag closes."),
    presented,
  ]

  // MARK: Layout

  package static let size = ViewProperty(
    "size", of: .insideWindow, .lengths("width", "height"), is: .nullable,
    get: { PropertyType.lengths("width", "height").write([$0.fixedWidth, $0.fixedHeight]) },
    set: { (view: View, sides) in (view.fixedWidth, view.fixedHeight) = (sides[0], sides[1]) },
    "In a stack, and of a sheet: `[width, height]` of the view, whatever its content is; `null` for what the content "
      + "decides.")
  package static let axis = ViewProperty(
    "axis", \StackView.arrangement.axis, .word, is: .nullable,
    "The direction of its views: `horizontal`, `vertical`, or `auto`: as `horizontal` in a window that is wider than high, and else as "
      + "`vertical`. Default: `horizontal`.")
  package static let columns = ViewProperty(
    "columns", \StackView.arrangement.columns, PropertyType.integer(1...100).orNone, is: .nullable,
    "The number of views side by side in a grid, 1 to 100. Default: no grid.")

  static let layout: [ViewProperty] = [
    size, axis,
    ViewProperty(
      "axis", of: [.scroll], \ScrollView.scrolling.axis, .word, is: [.nullable, .fixed],
      "Along which axes it scrolls: `horizontal`, `vertical` or `auto`, which is the default: each axis along which the "
        + "content is longer than the view."),
    ViewProperty(
      "spacing", \StackView.arrangement.spacing, .length, is: .nullable, "The space between two views."),
    ViewProperty(
      "spacing_after", of: .insideWindow, \View.spacingAfter, PropertyType.length.orNone, is: .nullable,
      "In a row or a column of a stack: the space between the view and the next one, in place of `spacing`; `null` for "
        + "that."),
    ViewProperty(
      "insets", \StackView.arrangement.insets, .insets, is: .nullable,
      "The space at its edges: one number, or `[top, left, bottom, right]`."),
    ViewProperty(
      "distribution", \StackView.arrangement.distribution, .word, is: .nullable,
      "How its views share the room along the axis: `fill`, `fill_equally`, `fill_proportionally`, `equal_spacing` or "
        + "`equal_centering`."),
    ViewProperty(
      "alignment", \StackView.arrangement.alignment, .word, is: .nullable,
      "Where its views lie across the axis: `fill`, `leading`, `center` or `trailing`."),
    columns, segments,
  ]

  // MARK: Scroll views

  static let scrolling: [ViewProperty] = [
    ViewProperty(
      "content", of: [.scroll], \ScrollView.scrolling.contentSize, PropertyType.size.orNone, is: .nullable,
      "`[width, height]` of the content. Default: as large as the subviews."),
    ViewProperty(
      "paging", of: [.scroll], \ScrollView.scrolling.isPaging, .flag, is: .fixed,
      "Whether it stops at multiples of its own size."),
    ViewProperty(
      "bounces", of: [.scroll], \ScrollView.scrolling.bounces, .flag, is: .fixed,
      "Whether the content can be dragged beyond its edges, and springs back."),
    ViewProperty(
      "indicators", of: [.scroll], \ScrollView.scrolling.showsIndicators, .flag, is: .fixed,
      "Whether bars show for a moment which part is seen."),
    ViewProperty(
      "delays_touches", of: [.scroll], \ScrollView.scrolling.delaysTouches, .flag, is: .fixed,
      "Whether a touch reaches the content only after a rest of 150 ms, or when it lifts."),
    ViewProperty(
      "cancels_touches", of: [.scroll], \ScrollView.scrolling.cancelsTouches, .word, is: [.nullable, .fixed],
      "Whether a touch that the content already has can still scroll: `auto`, `always` or `never`. `auto`: not that of a "
        + "control other than a list."),
    ViewProperty(
      "deceleration", of: [.scroll], \ScrollView.scrolling.deceleration, .word, is: [.nullable, .fixed],
      "How fast it slows down: each millisecond it keeps 99.8 % of its speed (`normal`), or 99 % (`fast`)."),
    ViewProperty(
      "directional_lock", of: [.scroll], \ScrollView.scrolling.locksDirection, .flag, is: .fixed,
      "Whether a drag that begins along one axis stays on it, where both scroll."),
    ViewProperty(
      "minimum_zoom", of: [.scroll], \ScrollView.scrolling.minimumZoom, .number(.zoom), is: .fixed,
      "How far two fingers make the content smaller, as a multiple of its size. See [zooming](#zooming)."),
    ViewProperty(
      "maximum_zoom", of: [.scroll], \ScrollView.scrolling.maximumZoom, .number(.zoom), is: .fixed,
      "How far two fingers, or a double tap, make it larger. It zooms where this is above `minimum_zoom`."),
    ViewProperty(
      "zoom", of: [.scroll], \ScrollView.zoomScale, .number(.zoom), is: .last,
      "How large the content is shown, as a multiple of its size; the nearest that the limits allow."),
  ]
}
