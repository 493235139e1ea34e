import { expect, it } from '@jest/globals';
import { isForm, payloadOf, readForm } from './form-body.js';

it('a form has its fields, and a list where one comes several times', () => {
  expect(readForm('a=1&b=x+y%26z&a=2&__proto__=p')).toEqual({
    a: ['1', '2'],
    b: 'x y&z',
    ['__proto__']: 'p',
  });
  expect(readForm('')).toEqual({});
});

it('the JSON of a webhook is the field payload, where there is no other', () => {
  const payload = (form: string) => payloadOf(readForm(form));
  expect(payload('payload=%7B%22id%22%3A1%7D')).toBe('{"id":1}');
  expect(payload('payload={}&token=t')).toBeUndefined();
  expect(payload('payload={}&payload={}')).toBeUndefined();
  expect(payload('id=1')).toBeUndefined();
});

it('the header Content-Type says what a form is', () => {
  expect(isForm('Application/X-WWW-Form-Urlencoded; charset=utf-8')).toBe(true);
  expect(isForm('application/json')).toBe(false);
  expect(isForm(undefined)).toBe(false);
});
