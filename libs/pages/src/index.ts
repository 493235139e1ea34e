export { connectFolder, consoleFolder } from './built-folders.js';
export { Pages, type PageAnswer } from './pages.js';
export { policyHeaders } from './policy-headers.js';
