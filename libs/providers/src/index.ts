export { openCatalogue } from './open-catalogue.js';
export { type BuiltInProviders, ProviderCatalogue } from './provider-catalogue.js';
