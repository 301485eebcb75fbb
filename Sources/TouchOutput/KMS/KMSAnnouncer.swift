import CDrm
import Glibc
import SystemPackage
import TouchPixels
import TouchSystem

/// Announces changes in the shown buffer to drivers that do not scan it out: they copy the announced parts,
/// or send them over a bus, without delay.
struct KMSAnnouncer {
  enum Way {
    /// An atomic request with `FB_DAMAGE_CLIPS`, which does not block. An event reports when it is shown.
    case clips
    /// An atomic request for the whole buffer, for drivers that block in `dirty`.
    case everything
    /// The older call, which may block. (`DRM_IOCTL_MODE_DIRTYFB`)
    case dirty
    /// No announcement, because the driver scans the buffer out.
    case none

    /// The way to try after a refusal; nil if none is left.
    var fallback: Way? {
      switch self {
      case .clips, .everything: .dirty
      case .dirty, .none: nil
      }
    }
  }

  enum Outcome {
    /// The picture is shown, or will be without another call.
    case done
    /// The picture is on its way, and an event follows.
    case inFlight
    /// The driver is busy with the previous announcement, and has to be asked again later.
    case busy
    case failed(Errno)
  }

  private let pipe: KMSPipe
  private var way: Way
  private var request = KMSRequest()
  private var framebufferPlace, clipsPlace: Int?
  /// The clips of the previous request, which the kernel keeps: a release has those of its touch.
  private let keptClips = KMSClips()
  private var keptBlob: UInt32 = 0
  private var callsInTrial = 8
  /// The process's sleep in the calls of the trial, in nanoseconds.
  private var blocked: Int64 = 0

  /// The longest sleep in the first calls of a driver that does not block, in nanoseconds.
  private static let longestBlock: Int64 = 10_000_000

  init(_ pipe: KMSPipe) {
    self.pipe = pipe
    way = .dirty
    guard pipe.isAtomic, let plane = pipe.plane, let properties = pipe.planeProperties else { return }
    framebufferPlace = request.set(properties["FB_ID"], of: plane, to: 0)
    clipsPlace = request.set(properties["FB_DAMAGE_CLIPS"], of: plane, to: 0)
    if clipsPlace != nil { way = .clips }
  }

  /// Whether the driver needs announcements. It is known after the first one.
  var isNeeded: Bool {
    if case .none = way { false } else { true }
  }

  /// - Parameter clips: the changed rectangles.
  mutating func announce(_ clips: KMSClips, of buffer: KMSBuffer) -> Outcome {
    switch way {
    case .none: return .done
    case .clips: return commit(clips, of: buffer)
    case .everything: return commit(nil, of: buffer)
    case .dirty: return dirty(clips, of: buffer)
    }
  }

  /// Switches to another way after the driver has refused this one; false if none is left.
  mutating func fallBack() -> Bool {
    guard let fallback = way.fallback else { return false }
    way = fallback
    // No trial: atomic requests were refused, so this way is used however long it takes.
    callsInTrial = 0
    dropClips()
    return true
  }

  /// Requests that another buffer is shown, at the next vertical blank where the hardware has one.
  mutating func flip(to buffer: KMSBuffer) -> Outcome {
    if pipe.isAtomic { return commit(nil, of: buffer) }
    let status = touchtree_drm_flip(pipe.card.descriptor.rawValue, pipe.crtc, buffer.framebuffer)
    return status == 0 ? .inFlight : Self.outcome(Errno(rawValue: errno))
  }

  private mutating func commit(_ clips: KMSClips?, of buffer: KMSBuffer) -> Outcome {
    guard let framebufferPlace else { return .failed(.notSupported) }
    request[framebufferPlace] = UInt64(buffer.framebuffer)
    // 0 stands for the whole buffer.
    if let clipsPlace { request[clipsPlace] = UInt64(clips.map { blob(of: $0) } ?? 0) }
    let cause = request.commit(on: pipe.card, DRM_MODE_ATOMIC_NONBLOCK | DRM_MODE_PAGE_FLIP_EVENT)
    return cause.map(Self.outcome) ?? .inFlight
  }

  /// Returns the kernel's number of the clips; 0 if it takes none.
  private mutating func blob(of clips: KMSClips) -> UInt32 {
    if keptBlob != 0, keptClips == clips { return keptBlob }
    dropClips()
    let status = touchtree_drm_create_blob(
      pipe.card.descriptor.rawValue, clips.rects, clips.byteCount, &keptBlob)
    guard status == 0 else {
      keptBlob = 0
      return 0
    }
    keptClips.copy(clips)
    return keptBlob
  }

  /// Makes the kernel forget the clips. A request on its way keeps them as long as it needs them.
  mutating func dropClips() {
    guard keptBlob != 0 else { return }
    _ = touchtree_drm_destroy_blob(pipe.card.descriptor.rawValue, keptBlob)
    keptBlob = 0
  }

  private mutating func dirty(_ clips: KMSClips, of buffer: KMSBuffer) -> Outcome {
    let isTimed = callsInTrial > 0 && framebufferPlace != nil
    let (sleeps, start) = isTimed ? (Self.sleeps(), MonotonicClock.nanoseconds()) : (0, 0)
    let status = touchtree_drm_dirty(
      pipe.card.descriptor.rawValue, buffer.framebuffer, clips.corners, UInt32(clips.count))
    guard status == 0 else {
      let cause = Errno(rawValue: errno)
      // Drivers that scan out the buffer have no such call.
      guard cause == .noFunction else { return Self.outcome(cause) }
      way = .none
      return .done
    }
    guard isTimed else { return .done }
    callsInTrial -= 1
    if Self.sleeps() > sleeps { blocked += MonotonicClock.nanoseconds() - start }
    if blocked > Self.longestBlock { way = .everything }
    return .done
  }

  private static func outcome(_ cause: Errno) -> Outcome { cause == .resourceBusy ? .busy : .failed(cause) }

  /// Returns how often the process gave up its processor to wait for something.
  private static func sleeps() -> Int {
    var usage = rusage()
    return getrusage(RUSAGE_SELF.rawValue, &usage) == 0 ? usage.ru_nvcsw : 0
  }
}

/// Changed rectangles of a buffer, in the forms of both kinds of calls. Their memory is allocated once.
final class KMSClips: Equatable {
  private static let most = 16
  /// The rectangles for `FB_DAMAGE_CLIPS`.
  let rects = UnsafeMutablePointer<drm_mode_rect>.allocate(capacity: most)
  /// The rectangles for `DRM_IOCTL_MODE_DIRTYFB`.
  let corners = UnsafeMutablePointer<drm_clip_rect>.allocate(capacity: most)
  private(set) var count = 0

  deinit {
    rects.deallocate()
    corners.deallocate()
  }

  var isEmpty: Bool { count == 0 }
  var byteCount: UInt32 { UInt32(count * MemoryLayout<drm_mode_rect>.stride) }

  /// Adds a rectangle that is not empty, joined with the last one if they touch or overlap in columns.
  func add(_ rect: PixelRect) {
    var new = drm_mode_rect(
      x1: Int32(rect.minX), y1: Int32(rect.minY), x2: Int32(rect.maxX), y2: Int32(rect.maxY))
    if count > 0 {
      let last = rects[count - 1]
      let isSameColumn = last.x1 == new.x1 && last.x2 == new.x2 && last.y2 >= new.y1 && last.y1 <= new.y2
      if isSameColumn || count == Self.most {
        new = drm_mode_rect(
          x1: min(last.x1, new.x1), y1: min(last.y1, new.y1), x2: max(last.x2, new.x2),
          y2: max(last.y2, new.y2))
        count -= 1
      }
    }
    rects[count] = new
    corners[count] = drm_clip_rect(
      x1: UInt16(new.x1), y1: UInt16(new.y1), x2: UInt16(new.x2), y2: UInt16(new.y2))
    count += 1
  }

  func removeAll() { count = 0 }

  func copy(_ other: KMSClips) {
    count = other.count
    rects.update(from: other.rects, count: count)
    corners.update(from: other.corners, count: count)
  }

  static func == (one: KMSClips, other: KMSClips) -> Bool {
    one.count == other.count && memcmp(one.rects, other.rects, Int(one.byteCount)) == 0
  }
}
