/// The bounds space of one view: `bounds.origin` is its top-left corner, y grows downwards.
/// The same numbers mean different places in different views; `View.convert` goes between them.
public enum LocalSpace {}

/// The window's own bounds space, the canvas in which the whole tree is laid out.
public enum WindowSpace {}

/// A device's own axis units, as the kernel reports them.
public enum DeviceSpace {}

/// A device's axis range mapped to 0 … 1 on both axes, before and after calibration.
public enum NormalizedSpace {}

/// Physical pixels of the display, top-left first.
public enum DisplaySpace {}

/// In a view's bounds space.
public typealias LocalPoint = Point<LocalSpace>
/// In window space: canvas units.
public typealias WindowPoint = Point<WindowSpace>
/// In a view's bounds space.
public typealias LocalRect = Rect<LocalSpace>
/// In window space: canvas units.
public typealias WindowRect = Rect<WindowSpace>
