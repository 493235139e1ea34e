export { IntegrationPointsModule } from './integration-points.module.js';
