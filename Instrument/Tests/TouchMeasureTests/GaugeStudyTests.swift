import Testing

@testable import TouchMeasure

/// Figures of numpy and scipy; those of the first study also stand in the book.
@Suite struct GaugeStudyTests {
  /// AIAG, Measurement Systems Analysis, 4th edition, figure III-B 15: three appraisers, ten parts, three
  /// trials.
  private static let published: [[[Double]]] = [
    [
      [0.29, 0.41, 0.64], [-0.56, -0.68, -0.58], [1.34, 1.17, 1.27], [0.47, 0.5, 0.64], [-0.8, -0.92, -0.84],
      [0.02, -0.11, -0.21], [0.59, 0.75, 0.66], [-0.31, -0.2, -0.17], [2.26, 1.99, 2.01],
      [-1.36, -1.25, -1.31],
    ],
    [
      [0.08, 0.25, 0.07], [-0.47, -1.22, -0.68], [1.19, 0.94, 1.34], [0.01, 1.03, 0.2], [-0.56, -1.2, -1.28],
      [-0.2, 0.22, 0.06], [0.47, 0.55, 0.83], [-0.63, 0.08, -0.34], [1.8, 2.12, 2.19], [-1.68, -1.62, -1.5],
    ],
    [
      [0.04, -0.11, -0.15], [-1.38, -1.13, -0.96], [0.88, 1.09, 0.67], [0.14, 0.2, 0.11],
      [-1.46, -1.07, -1.45],
      [-0.29, -0.67, -0.49], [0.02, 0.01, 0.21], [-0.46, -0.56, -0.49], [1.77, 1.45, 1.87],
      [-1.49, -1.77, -2.16],
    ],
  ]
  /// Three operators, three panels, two runs, in which operators differ alike on all panels.
  private static let even: [[[Double]]] = [
    [[0.41, 0.43], [0.62, 0.60], [0.80, 0.83]], [[0.44, 0.45], [0.66, 0.63], [0.83, 0.85]],
    [[0.40, 0.39], [0.60, 0.59], [0.79, 0.78]],
  ]
  /// The same, where they differ on some panels alone.
  private static let uneven: [[[Double]]] = [
    [[0.41, 0.43], [0.62, 0.60], [0.80, 0.83]], [[0.54, 0.55], [0.56, 0.53], [0.83, 0.85]],
    [[0.40, 0.39], [0.70, 0.69], [0.79, 0.68]],
  ]

  private static let studies:
    [(figures: [[[Double]]], chance: Double, parts: [Double], variation: Double, categories: Int)] = [
      (published, 0.974106404, [0.199933180, 0.226837521, 1.042327494, 0.302371522], 27.860650881, 4),
      (even, 0.944917431, [0.011875422, 0.025415353, 0.196606901, 0.028052911], 14.125461848, 9),
      (uneven, 0.000359007, [0.029249881, 0.081342896, 0.164755711, 0.086442017], 46.460327469, 2),
    ]

  @Test(arguments: studies.indices)
  func `the variation of a study has the parts of its analysis of variance`(row: Int) throws {
    let (figures, chance, parts, variation, categories) = Self.studies[row]
    let study = try #require(GaugeStudy(figures))
    #expect(study.interactionChance.isNear(chance, within: 1e-8))
    for (found, part) in zip([study.repeatability, study.reproducibility, study.panels, study.gauge], parts) {
      #expect(found.isNear(part, within: 1e-8), "\(found)")
    }
    #expect(try #require(study.shareOfVariation).isNear(variation, within: 1e-6))
    #expect(try #require(study.share(ofTolerance: 2)).isNear(300 * parts[3], within: 1e-5))
    #expect(study.distinctCategories == categories)
  }

  @Test func `a study without two operators, panels and runs, or of uneven runs, is none`() {
    #expect(GaugeStudy([]) == nil && GaugeStudy([Self.even[0]]) == nil)
    #expect(GaugeStudy(Self.even.map { [$0[0]] }) == nil)
    #expect(GaugeStudy(Self.even.map { $0.map { [$0[0]] } }) == nil)
    #expect(GaugeStudy([Self.even[0], [[1, 2], [1, 2], [1]]]) == nil)
  }

  /// 0.1 is no binary number, so that its means are rounded.
  @Test func `what does not vary has neither a share nor categories`() throws {
    let equal = Array(repeating: Array(repeating: [0.1, 0.1], count: 3), count: 3)
    let study = try #require(GaugeStudy(equal))
    #expect(study.gauge == 0 && study.shareOfVariation == nil && study.distinctCategories == nil)
    let exact = try #require(GaugeStudy([[[0.1, 0.1], [0.3, 0.3]], [[0.1, 0.1], [0.3, 0.3]]]))
    #expect(exact.gauge == 0 && exact.shareOfVariation == 0 && exact.distinctCategories == nil)
  }
}
