export { consoleFolder } from './console-folder.js';
export { Pages, type PageAnswer } from './pages.js';
export { policyHeaders } from './policy-headers.js';
