export { basicAuthorization, formEncode } from './basic.js';
export { readRefusal, type Refusal } from './refusal.js';
export { readTokenAnswer, type TokenAnswer } from './token-answer.js';
