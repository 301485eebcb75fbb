import Testing

@testable import TouchCore
@testable import TouchViews

/// What a value was over the last seconds, in memory that does not grow.
@Suite struct SeriesTests {
  private func at(_ seconds: Double) -> Timestamp { Timestamp.zero.advanced(bySeconds: seconds) }

  @Test func valuesThatComeSlowlyAreKeptOneByOne() {
    let series = Series(seconds: 1440)
    for second in 0..<10 { series.append(Double(second), at: at(Double(second))) }
    #expect(series.count == 10)
    #expect((0..<10).allSatisfy { series[$0].value == Double($0) && series[$0].time == at(Double($0)) })
  }

  @Test func aPeakBetweenTwoSamplesIsKept() {
    let series = Series(seconds: 86_400)
    for (index, value) in [20, 95, -4, 21].enumerated() {
      series.append(Double(value), at: at(Double(index)))
    }
    #expect(series.count == 1)
    #expect(series[0].minimum == -4 && series[0].maximum == 95 && series[0].value == 21)
  }

  @Test func aGapIsASampleOfItsOwn() {
    let series = Series(seconds: 86_400)
    series.append(20, at: at(0))
    series.append(nil, at: at(1))
    series.append(.nan, at: at(2))
    series.append(22, at: at(3))
    #expect((0..<series.count).map { series[$0].value } == [20, nil, 22])
    #expect(series[1].minimum.isNaN)
  }

  @Test func aDayOfOneValueASecondTakesNoMoreThanAMinute() {
    let series = Series(seconds: 86_400)
    for second in 0..<200_000 { series.append(Double(second % 100), at: at(Double(second))) }
    #expect(series.count == Series.mostSamples)
    // What is kept goes back as far as was asked for.
    #expect(series[0].time <= at(199_999 - 86_400 + 60))
    let times = (0..<series.count).map { series[$0].time }
    #expect(times == times.sorted())
  }

  @Test func aChartBeginsWithTheValueThatWasThereBefore() {
    let series = Series(seconds: 1440)
    for second in stride(from: 0.0, to: 100, by: 10) { series.append(second, at: at(second)) }
    #expect(series[series.start(of: 15, before: at(90))].value == 70)
    #expect(series.start(of: 1000, before: at(90)) == 0)
    #expect(Series(seconds: 5).start(of: 5, before: at(0)) == 0)
  }

  @Test func `a value of an earlier time stands where it belongs`() {
    let series = Series(seconds: 1440)
    func time(_ seconds: Double) -> Timestamp { Timestamp.zero.advanced(bySeconds: seconds) }
    for second in [100.0, 200, 300] { series.append(second, at: time(second)) }
    series.insert(150, at: time(150))
    series.insert(50, at: time(50))
    series.insert(nil, at: time(250))
    series.insert(400, at: time(400))
    #expect((0..<series.count).map { series[$0].time } == [50, 100, 150, 200, 250, 300, 400].map(time))
    #expect((0..<series.count).map { series[$0].value } == [50, 100, 150, 200, nil, 300, 400])
    // In the same stretch as another one it shares its sample.
    series.insert(90, at: time(100.5))
    #expect(series.count == 7 && series[1].minimum == 90 && series[1].maximum == 100)
  }

  @Test func `a full series makes room at its beginning, and takes nothing that is older`() {
    let series = Series(seconds: 1440)
    func time(_ seconds: Double) -> Timestamp { Timestamp.zero.advanced(bySeconds: seconds) }
    for index in 0..<(Series.mostSamples + 10) { series.append(Double(index), at: time(Double(2 * index))) }
    let oldest = series[0].time
    series.insert(-1, at: time(1))
    #expect(series.count == Series.mostSamples && series[0].time == oldest)
    series.insert(-1, at: time(1001))
    #expect(series.count == Series.mostSamples && series[0].time > oldest)
    #expect((1..<series.count).allSatisfy { series[$0 - 1].time < series[$0].time })
  }
}
