import type { ManagementSchemas } from '#contract';
import { LatencyPlot } from './latency-plot.js';
import { seconds } from './numbers.js';
import { isUtc } from './time.js';

type Point = ManagementSchemas['TimeseriesResult'];
const height = 80;

interface Props {
  points: readonly Point[];
  caption: string;
  /** Whether a bar is a day, which is named by its date. */
  isByDay?: boolean;
}

/** Bars of succeeded and failed requests over time, above how long they took where that is known; the same numbers are in a table below, for people who do not see the bars. */
export function Chart({ points, caption, isByDay = false }: Props) {
  const maxRequests = Math.max(1, ...points.map(({ succeeded, failed }) => succeeded + failed));
  const width = points.length * 10;
  const at = (value: number) => (value / maxRequests) * height;
  const time = new Intl.DateTimeFormat('en-GB', {
    ...(isByDay ? { dateStyle: 'medium' } : { timeStyle: 'short' }),
    ...(isUtc.value || isByDay ? { timeZone: 'UTC' } : {}), // days are those of UTC
  });
  const label = (point: Point | undefined) =>
    point ? time.format(new Date(point.created_at)) : '';
  const isTimed = points.some((one) => timeOf(one.duration_p50) !== undefined);
  const ran = points.filter(({ succeeded, failed }) => succeeded + failed > 0);
  return (
    <figure class="chart">
      <figcaption>{caption}</figcaption>
      <div class="plot">
        <span class="most">{maxRequests}</span>
        <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
          {points.map(({ succeeded, failed }, index) => (
            <g key={index} transform={`translate(${index * 10 + 1} 0)`}>
              <rect class="idle" y={height - 1} width="8" height="1" />
              <rect class="succeeded" y={height - at(succeeded)} width="8" height={at(succeeded)} />
              <rect
                class="failed"
                y={height - at(succeeded + failed)}
                width="8"
                height={at(failed)}
              />
            </g>
          ))}
        </svg>
        <p class="axis" aria-hidden="true">
          <span>{label(points[0])}</span>
          <span>{label(points.at(-1))}</span>
        </p>
      </div>
      <p class="legend" aria-hidden="true">
        <span class="succeeded">Succeeded</span> <span class="failed">Failed</span>
      </p>
      {isTimed && <LatencyPlot points={points} />}
      <details>
        <summary>Show as a table</summary>
        <div class="wide">
          <table>
            <thead>
              <tr>
                <th scope="col">Time</th>
                <th scope="col" class="number">
                  Succeeded
                </th>
                <th scope="col" class="number">
                  Failed
                </th>
                {isTimed && (
                  <>
                    <th scope="col" class="number">
                      p50
                    </th>
                    <th scope="col" class="number">
                      p95
                    </th>
                  </>
                )}
              </tr>
            </thead>
            <tbody>
              {ran.map((point) => (
                <tr key={point.created_at}>
                  <th scope="row">{label(point)}</th>
                  <td class="number">{point.succeeded}</td>
                  <td class="number">{point.failed}</td>
                  {isTimed &&
                    [point.duration_p50, point.duration_p95].map((one, index) => (
                      <td key={index} class="number">
                        {timeOf(one) ?? '–'}
                      </td>
                    ))}
                </tr>
              ))}
              {ran.length === 0 && (
                <tr>
                  <td colSpan={isTimed ? 5 : 3}>Nothing ran in this time.</td>
                </tr>
              )}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}

/** A duration in words; undefined where nothing ran. */
function timeOf(duration: number | null | undefined): string | undefined {
  return duration === null || duration === undefined ? undefined : seconds(duration);
}
