export { openCatalogue } from './open-catalogue.js';
export { type BuiltInProvider, ProviderCatalogue } from './provider-catalogue.js';
