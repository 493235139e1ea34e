export { integrationPointView } from './integration-point-view.js';
export { IntegrationPointsModule } from './integration-points.module.js';
