import TouchConfig
import TouchCore
import TouchInput
import TouchOutput
import TouchPixels
import TouchRender
import TouchViews

extension Configuration {
  /// What it says of the canvas. Where no display says how large that is, it is as large as the window's subviews need; else
  /// 800×480.
  package var canvasLayout: CanvasLayout {
    CanvasLayout(
      size: display.canvasSize, naturalSize: display.canvasSize ?? sizeOfViews, scale: display.scale,
      rotation: display.rotation, mode: display.mode, file: file)
  }

  private var sizeOfViews: Size {
    var needed = Size.zero
    for view in views where view.parent == nil {
      guard let frame: LocalRect = view.value(of: .frame) else { continue }
      needed.width = max(needed.width, frame.maxX)
      needed.height = max(needed.height, frame.maxY)
    }
    return needed.width >= 1 && needed.height >= 1 ? needed : Size(width: 800, height: 480)
  }
}

extension ViewTree {
  /// The tree of a configuration, laid out for a display.
  ///
  /// - Parameter geometry: how the canvas lies on it.
  package init(_ configuration: Configuration, geometry: DisplayGeometry) {
    self.init(configuration, canvasSize: geometry.canvasSize)
    let measurer = ContentMeasurer()
    window.contentMeasurer = { view, width in measurer.size(of: view, atWidth: width) }
    window.layoutIfNeeded()
  }
}

extension InputPipeline {
  /// Touches a configured tree.
  ///
  /// - Parameter geometry: how the canvas lies on the display.
  package convenience init(_ tree: ViewTree, geometry: DisplayGeometry) {
    self.init(window: tree.window, geometry: geometry, taps: tree.configuration.input.taps)
  }
}

extension Configuration {
  /// The notice, with the place in the file that asks for what cannot be painted.
  package func sentence(for notice: PaintNotice) -> String {
    guard let place = place(of: notice) else { return notice.description }
    return "\(file):\(place.line):\(place.column): \(notice)"
  }

  /// Where the file asks for what cannot be painted; nil where no place in it does.
  package func place(of notice: PaintNotice) -> SourceLocation? {
    switch notice {
    case .imageUnreadable(let error):
      return views.lazy.compactMap(\.picture).first { $0.path == error.path }?.place
    case .fontReplaced(let family, by: _), .fontUnavailable(let family):
      return views.lazy.compactMap { $0.place(ofFont: family) }.first
    case .nestedTooDeep(let id, most: _), .textCut(let id), .charactersUnknown(_, let id):
      return views.first { $0.id == id }?.place
    case .textUnavailable, .orderUnavailable, .namesLeftOut: return nil
    }
  }
}
