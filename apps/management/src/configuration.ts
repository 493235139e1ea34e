import {
  combineSettings,
  FromVariable,
  httpAddress,
  ManagementSettings,
  StoringServiceConfiguration,
} from '#config';

/** The settings of the management process. */
export class ManagementConfiguration extends combineSettings(
  StoringServiceConfiguration,
  ManagementSettings,
) {
  @FromVariable({
    variable: 'PUBLIC_URL',
    about:
      'The address at which browsers and identity providers reach the gateway, such as `https://api.example.com`: single sign-on is told it.',
    ...httpAddress,
  })
  publicUrl: string = 'http://localhost:8080';
}
