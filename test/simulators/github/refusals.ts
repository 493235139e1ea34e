import { Refusal } from '#test/simulators';

const documentation = 'https://docs.github.com/rest';

/** GitHub's basic error. */
export function refuse(
  status: number,
  message: string,
  headers: Record<string, string> = {},
): Refusal {
  const body = { message, documentation_url: documentation, status: String(status) };
  return new Refusal({ status, headers, body });
}

export function notFound(): Refusal {
  return refuse(404, 'Not Found');
}

interface FieldError {
  field: string;
  code: 'missing_field' | 'invalid' | 'custom';
  message?: string;
  value?: unknown;
}

export function invalid(resource: string, errors: FieldError[]): Refusal {
  return new Refusal({
    status: 422,
    body: {
      message: 'Validation Failed',
      errors: errors.map((error) => ({ resource, ...error })),
      documentation_url: `${documentation}/issues/issues`,
      status: '422',
    },
  });
}
