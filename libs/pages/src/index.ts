export { connectFolder } from './built-folders.js';
export { Pages, type PageAnswer } from './pages.js';
export { policyHeaders } from './policy-headers.js';
export { ProviderImages } from './provider-images.js';
export { consolePrefix, readConsole } from './read-console.js';
