import TouchCore
import TouchExpressions
import TouchViews

// The gestures of a tree, and the steps that its controls, gestures and keys cause.

extension ViewTree {
  mutating func add(_ gestures: [Configuration.Gesture], to views: [View]) {
    let recognizers = gestures.map { values in
      reused?.gesture(values, of: values.owner.map { views[$0] }) ?? values.makeRecognizer()
    }
    var byID: [String: GestureRecognizer] = [:]
    if gestures.contains(where: { !$0.requireToFail.isEmpty || !$0.simultaneousWith.isEmpty }) {
      for view in views {
        let scrollView = view.scrollView ?? view as? ScrollView
        if let pan = scrollView?.panGestureRecognizer { byID[pan.id] = pan }
      }
    }
    for recognizer in recognizers { byID[recognizer.id] = recognizer }
    for (recognizer, values) in zip(recognizers, gestures) {
      let stays = reused?.stays(recognizer) ?? false
      if let owner = values.owner {
        if self.stays(views[owner]) {
          if !stays { lateGestures.append((views[owner], recognizer)) }
        } else {
          views[owner].addGestureRecognizer(recognizer)
        }
      } else {
        windowGestures.append(recognizer)
      }
      if !values.handlers.isEmpty { gestureAttachments.append((recognizer, values.handlers)) }
      // A kept gesture has its relations already.
      if stays { continue }
      // The file has no circles.
      for id in values.requireToFail { byID[id].map(recognizer.requireAcyclic(toFail:)) }
      for id in values.simultaneousWith { byID[id].map(recognizer.recognizeSimultaneously(with:)) }
      if let view = values.transforms.flatMap({ viewsByID[$0] }) {
        recognizer.action = ViewTransformer(view).follow
        for (other, others) in zip(recognizers, gestures) where others.transforms == values.transforms {
          recognizer.recognizeSimultaneously(with: other)
        }
      }
    }
    self.recognizers = recognizers
  }

  /// Lists of one control or gesture follow each other in the configuration.
  mutating func addActions(to views: [View]) {
    for list in configuration.actions {
      switch list.trigger {
      case .control(let index, let action):
        if controlActions.last?.control !== views[index] { controlActions.append((views[index], [:])) }
        controlActions[controlActions.count - 1].steps[action] = list.steps
      case .gesture(let index, let state):
        let gesture = recognizers[index]
        if gestureActions.last?.gesture !== gesture { gestureActions.append((gesture, [:])) }
        gestureActions[gestureActions.count - 1].steps[state] = list.steps
      case .key(let outermost, let command):
        keyActions[placeOfKeyActions(of: outermost)].steps[command] = list.steps
      case .scan(let outermost): keyActions[placeOfKeyActions(of: outermost)].scan = list.steps
      case .idle(let number): idleActions[number] = list.steps
      }
    }
  }

  private mutating func placeOfKeyActions(of outermost: Configuration.ActionList.Outermost) -> Int {
    let responder: Responder =
      switch outermost {
      case .window: window
      case .application: application
      }
    if let place = keyActions.firstIndex(where: { $0.responder === responder }) { return place }
    keyActions.append(KeyActions(responder: responder))
    return keyActions.count - 1
  }
}
