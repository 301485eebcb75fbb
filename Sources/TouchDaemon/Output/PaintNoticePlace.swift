import TouchConfig
import TouchRender

extension Configuration {
  /// The notice, with the place in the file that asks for what cannot be painted.
  package func sentence(for notice: PaintNotice) -> String {
    guard let place = place(of: notice) else { return notice.description }
    return "\(file):\(place.line):\(place.column): \(notice)"
  }

  private func place(of notice: PaintNotice) -> SourceLocation? {
    switch notice {
    case .imageUnreadable(let error):
      return views.lazy.compactMap(\.image).first { $0.path == error.path }?.place
    case .fontReplaced(let family, by: _), .fontUnavailable(let family):
      let view = views.first { $0.kind.hasText && !$0.text.isEmpty && $0.textStyle.family == family }
      return view.map { $0.fontPlace ?? $0.place }
    case .nestedTooDeep(let id, most: _), .textCut(let id), .charactersUnknown(_, let id):
      return views.first { $0.id == id }?.place
    case .textUnavailable, .orderUnavailable, .namesLeftOut: return nil
    }
  }
}
