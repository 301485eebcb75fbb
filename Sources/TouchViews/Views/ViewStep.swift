import TouchCore

/// A report of a control, a text, pages, a sheet or a scroll view to observers.
public enum ViewStep: ViewReport {
  /// A control is sending an action to its handlers.
  case control(Control, action: Control.Action, touch: Touch)
  /// A control's value changed, by a touch or by a program.
  case value(Control)
  /// A label, a button or a text field shows another text, because of a touch or a program.
  case text(View)
  /// A page view shows another page, because of a touch or a program.
  case page(PagesView)
  /// A sheet was presented or dismissed, because of a touch or a program.
  case sheet(SheetView)
  /// A scroll view scrolls or zooms, because of a touch or a program.
  case scroll(ScrollView, ScrollView.ScrollPhase)

  /// Whether it is kept from clients, logs and traces: a private view is in it.
  public var isPrivate: Bool {
    switch self {
    case .control(let control, _, let touch): control.privateView != nil || touch.view?.privateView != nil
    case .value(let control): control.privateView != nil
    case .text(let view): view.privateView != nil
    case .page(let pages): pages.privateView != nil
    case .sheet(let sheet): sheet.privateView != nil
    case .scroll(let scrollView, _): scrollView.privateView != nil
    }
  }
}

extension DispatchStep {
  /// The report of a control, a text, pages, a sheet or a scroll view; nil for every other step.
  public var viewStep: ViewStep? {
    if case .report(let report) = self { report as? ViewStep } else { nil }
  }
}
