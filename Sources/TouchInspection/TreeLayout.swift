import TouchConfig
import TouchCore
import TouchInput
import TouchKit
import TouchOutput
import TouchRender
import TouchViews

extension Configuration {
  /// The settings for the window. Without a display, the canvas is what subviews need, else 800×480.
  package var presentation: PresentationSettings {
    PresentationSettings(
      display: display, naturalSize: sizeOfViews, highlight: highlight, pointer: input.cursor, source: file)
  }

  package var canvasLayout: CanvasLayout { presentation.canvasLayout }

  /// The delays of the file's filters, in a line for each device rule with filters.
  package var filterDelays: [String] {
    input.rules.filter { !$0.filters.isEmpty }.map { rule in
      "\(file):\(rule.place.line): \(rule.filters.sentence)"
    }
  }

  private var sizeOfViews: Size {
    var needed = Size.zero
    for view in views where view.parent == nil {
      guard let frame: LocalRect = view.value(of: .frame) else { continue }
      needed.width = max(needed.width, frame.maxX)
      needed.height = max(needed.height, frame.maxY)
    }
    return needed.width >= 1 && needed.height >= 1 ? needed : PresentationSettings.naturalSize
  }
}

extension ViewTree {
  /// Makes the tree of a configuration, laid out for a canvas's position on a display.
  package init(_ configuration: Configuration, geometry: DisplayGeometry) {
    self.init(configuration, canvasSize: geometry.canvasSize)
    window.measuresContent()
    window.layoutIfNeeded()
  }

  /// The ids of the pages that have no pages in them, in the order of the file.
  package var innermostPages: [String] {
    let pages = configuration.views.compactMap { viewsByID[$0.id] }.filter { $0.enclosingPages != nil }
    var outer: Set<ObjectIdentifier> = []
    for page in pages {
      var view = page.enclosingPages?.superview
      while let current = view {
        outer.insert(ObjectIdentifier(current))
        view = current.superview
      }
      if let pages = page.enclosingPages { outer.insert(ObjectIdentifier(pages)) }
    }
    return pages.filter { !outer.contains(ObjectIdentifier($0)) }.map(\.id)
  }
}

extension ViewTree {
  /// Returns the private view that a notice would disclose; nil for none. Names in the file may be told.
  package func privateView(of notice: PaintNotice) -> View? {
    func first(where shows: (View) -> Bool) -> View? {
      guard configuration.place(of: notice) == nil else { return nil }
      return viewsByID.values.lazy.filter(shows).compactMap(\.privateView).first
    }
    switch notice {
    case .textCut(let id), .textTooHigh(let id), .charactersUnknown(_, let id), .iconUnknown(_, let id),
      .nestedTooDeep(let id, most: _), .codeTooLong(let id):
      return viewsByID[id]?.privateView
    case .imageUnreadable(let error): return first { ($0 as? ImageView)?.path == error.path }
    case .fontReplaced(let family, by: _), .fontUnavailable(let family):
      return first { $0.fontFamilies.contains(family) }
    case .iconsUnavailable, .textUnavailable, .orderUnavailable, .breaksUnavailable, .codesUnavailable,
      .namesLeftOut, .more:
      return nil
    }
  }
}

extension View {
  fileprivate var fontFamilies: [String] {
    ["font", "detail_font"].compactMap { name in
      guard case .map(let entries)? = ViewProperty.named(name, of: kind)?.value(of: self),
        case .text(let family)? = entries.first(where: { $0.key == "family" })?.value
      else { return nil }
      return family
    }
  }
}

extension PaintNotice {
  package var isOfText: Bool {
    switch self {
    case .textCut, .textTooHigh, .charactersUnknown, .codeTooLong: true
    case .iconsUnavailable, .iconUnknown, .fontReplaced, .fontUnavailable, .textUnavailable,
      .orderUnavailable, .breaksUnavailable, .codesUnavailable, .imageUnreadable, .nestedTooDeep,
      .namesLeftOut,
      .more:
      false
    }
  }
}

extension InputPipeline {
  /// Makes a pipeline for a configured tree, at the canvas's position on a display.
  package convenience init(_ tree: ViewTree, geometry: DisplayGeometry) {
    self.init(window: tree.window, geometry: geometry, taps: tree.configuration.input.taps)
  }
}

extension Configuration {
  package func sentence(for notice: PaintNotice) -> String {
    guard let place = place(of: notice) else { return notice.description }
    return "\(file):\(place.line):\(place.column): \(notice)"
  }

  /// Returns the place in the file that causes a notice; nil if there is none.
  package func place(of notice: PaintNotice) -> SourceLocation? {
    switch notice {
    case .imageUnreadable(let error):
      return views.lazy.compactMap(\.picture).first { $0.path == error.path }?.place
    case .fontReplaced(let family, by: _), .fontUnavailable(let family):
      return views.lazy.compactMap { $0.place(ofFont: family) }.first
    case .nestedTooDeep(let id, most: _), .textCut(let id), .textTooHigh(let id),
      .charactersUnknown(_, let id), .iconUnknown(_, let id), .codeTooLong(let id):
      return views.first { $0.id == id }?.place
    case .iconsUnavailable: return views.first { $0.hasIcon }?.place
    case .textUnavailable, .orderUnavailable, .breaksUnavailable, .codesUnavailable, .namesLeftOut, .more:
      return nil
    }
  }
}
