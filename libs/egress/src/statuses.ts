/** Statuses of failures that pass. 520 and above are those of proxies before a service. */
export const passingStatuses: readonly number[] = [
  408, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 527, 529, 530,
];

export function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

/** True for a redirect that keeps the method and the body. */
export function keepsMethod(status: number): boolean {
  return status === 307 || status === 308;
}
