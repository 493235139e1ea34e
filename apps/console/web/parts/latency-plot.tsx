import type { ManagementSchemas } from '#contract';
import { seconds } from './numbers.js';

const height = 60;

interface Props {
  points: readonly ManagementSchemas['TimeseriesResult'][];
}

/** How long calls took over time: a bar to the time that half of them needed, and above it one to that of 95 %. The table of the chart has the numbers. */
export function LatencyPlot({ points }: Props) {
  const maxDuration = Math.max(1, ...points.map((one) => one.duration_p95 ?? 0));
  const at = (value: number | null | undefined) => ((value ?? 0) / maxDuration) * height;
  return (
    <>
      <div class="plot">
        <span class="most">{seconds(maxDuration)}</span>
        <svg
          class="latencies"
          viewBox={`0 0 ${points.length * 10} ${height}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          {points.map(({ duration_p50: half, duration_p95: most }, index) => (
            <g key={index} transform={`translate(${index * 10 + 1} 0)`}>
              <rect class="idle" y={height - 1} width="8" height="1" />
              <rect class="p95" y={height - at(most)} width="8" height={at(most)} />
              <rect class="p50" y={height - at(half)} width="8" height={at(half)} />
            </g>
          ))}
        </svg>
      </div>
      <p class="legend" aria-hidden="true">
        <span class="p50">Half took no longer (p50)</span>{' '}
        <span class="p95">95 % took no longer (p95)</span>
      </p>
    </>
  );
}
