import TouchCore

/// A program that follows a scroll view. Each function has a default that does nothing.
/// (`UIScrollViewDelegate`.)
///
/// The order is UIKit's:
///
/// ```
/// a finger    WillBeginDragging, DidScroll…, DidEndDragging, and if it goes on:
///             WillBeginDecelerating, DidScroll…, DidEndDecelerating
/// a program   DidScroll…, DidEndScrollingAnimation; without animation DidScroll alone
/// two fingers WillBeginZooming, DidZoom…, DidEndZooming
/// ```
public protocol ScrollViewDelegate: AnyObject {
  /// Called after another part of the content is seen, whatever the cause. (`scrollViewDidScroll(_:)`.)
  func scrollViewDidScroll(_ scrollView: ScrollView)
  /// Called when a finger has gone far enough to scroll. (`scrollViewWillBeginDragging(_:)`.)
  func scrollViewWillBeginDragging(_ scrollView: ScrollView)
  /// Called when the finger has lifted. (`scrollViewDidEndDragging(_:willDecelerate:)`.)
  ///
  /// - Parameters:
  ///   - scrollView: the scroll view that is dragged.
  ///   - decelerate: whether the content goes on by itself: it slows down, or comes back inside its edges.
  func scrollViewDidEndDragging(_ scrollView: ScrollView, willDecelerate decelerate: Bool)
  /// Called when the content goes on after a drag. (`scrollViewWillBeginDecelerating(_:)`.)
  func scrollViewWillBeginDecelerating(_ scrollView: ScrollView)
  /// Called when content that went on has come to rest, or a finger has stopped it.
  /// (`scrollViewDidEndDecelerating(_:)`.)
  func scrollViewDidEndDecelerating(_ scrollView: ScrollView)
  /// Called when a motion that a program began is over. (`scrollViewDidEndScrollingAnimation(_:)`.)
  func scrollViewDidEndScrollingAnimation(_ scrollView: ScrollView)
  /// The subview that zooms; nil for the first one. (`viewForZooming(in:)`.)
  func viewForZooming(in scrollView: ScrollView) -> View?
  /// Called when two fingers begin to zoom. (`scrollViewWillBeginZooming(_:with:)`.)
  func scrollViewWillBeginZooming(_ scrollView: ScrollView, with view: View?)
  /// Called after the zoom has changed, whatever the cause. (`scrollViewDidZoom(_:)`.)
  func scrollViewDidZoom(_ scrollView: ScrollView)
  /// Called when a zoom is over, after it has come back inside its limits.
  /// (`scrollViewDidEndZooming(_:with:atScale:)`.)
  ///
  /// - Parameters:
  ///   - scrollView: the scroll view whose content is zoomed.
  ///   - view: the view that is zoomed.
  ///   - scale: the zoom, as a multiple of the content's own size.
  func scrollViewDidEndZooming(_ scrollView: ScrollView, with view: View?, atScale scale: Double)
}

extension ScrollViewDelegate {
  /// Does nothing.
  public func scrollViewDidScroll(_ scrollView: ScrollView) {}
  /// Does nothing.
  public func scrollViewWillBeginDragging(_ scrollView: ScrollView) {}
  /// Does nothing.
  public func scrollViewDidEndDragging(_ scrollView: ScrollView, willDecelerate decelerate: Bool) {}
  /// Does nothing.
  public func scrollViewWillBeginDecelerating(_ scrollView: ScrollView) {}
  /// Does nothing.
  public func scrollViewDidEndDecelerating(_ scrollView: ScrollView) {}
  /// Does nothing.
  public func scrollViewDidEndScrollingAnimation(_ scrollView: ScrollView) {}
  /// Returns nil.
  public func viewForZooming(in scrollView: ScrollView) -> View? { nil }
  /// Does nothing.
  public func scrollViewWillBeginZooming(_ scrollView: ScrollView, with view: View?) {}
  /// Does nothing.
  public func scrollViewDidZoom(_ scrollView: ScrollView) {}
  /// Does nothing.
  public func scrollViewDidEndZooming(_ scrollView: ScrollView, with view: View?, atScale scale: Double) {}
}

extension ScrollView {
  /// The part of a course of scrolling whose end the delegate waits for.
  enum Course {
    case dragging, decelerating, animating, zooming
  }

  /// Begins a part of a course, after the end of the one before.
  final func begin(_ next: Course) {
    guard course != next else { return }
    endCourse(willDecelerate: next == .decelerating)
    course = next
    switch next {
    case .dragging: delegate?.scrollViewWillBeginDragging(self)
    case .decelerating: delegate?.scrollViewWillBeginDecelerating(self)
    case .animating: break
    case .zooming: delegate?.scrollViewWillBeginZooming(self, with: viewForZooming)
    }
  }

  /// Ends the present part of a course.
  ///
  /// - Parameter willDecelerate: whether the content goes on after a drag.
  final func endCourse(willDecelerate: Bool = false) {
    guard let old = course else { return }
    course = nil
    switch old {
    case .dragging: delegate?.scrollViewDidEndDragging(self, willDecelerate: willDecelerate)
    case .decelerating: delegate?.scrollViewDidEndDecelerating(self)
    case .animating: delegate?.scrollViewDidEndScrollingAnimation(self)
    case .zooming: delegate?.scrollViewDidEndZooming(self, with: viewForZooming, atScale: zoomScale)
    }
  }
}
