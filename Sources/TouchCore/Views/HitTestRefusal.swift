/// Why a view takes no part in a hit test, whatever the point; where there are several reasons, the first one counts.
public enum HitTestRefusal: String, CaseIterable, Sendable {
  case hidden
  case userInteractionDisabled = "user interaction off"
  case transparent = "alpha 0.01 or less"
  case noPointerEvents = "pointer_events none"
  case disabled = "disabled control"
}

/// The reasons that hold for a view.
struct HitTestRefusals {
  private var bits: UInt8 = 0

  var isEmpty: Bool { bits == 0 }
  var first: HitTestRefusal? { isEmpty ? nil : HitTestRefusal.allCases.first { self[$0] } }

  subscript(refusal: HitTestRefusal) -> Bool {
    get { bits & refusal.bit != 0 }
    set { bits = newValue ? bits | refusal.bit : bits & ~refusal.bit }
  }
}

extension HitTestRefusal {
  fileprivate var bit: UInt8 {
    switch self {
    case .hidden: 1
    case .userInteractionDisabled: 2
    case .transparent: 4
    case .noPointerEvents: 8
    case .disabled: 16
    }
  }
}
