import { useRead } from '../../api/query.js';
import { Id } from '../../parts/copy.js';
import { Link } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { SettingsForm } from './settings-form.js';
import { Snippet } from './snippet.js';

/** The organization, and the pages in which its customers connect their systems. */
export function SettingsScreen() {
  const read = useRead('organization_get');
  return (
    <>
      <h1 tabIndex={-1}>Settings</h1>
      <Loaded of={read} lines={8}>
        {({ result }) => (
          <>
            <p class="lead">
              <bdi>{result.fullname}</bdi> · <Id value={result.id} /> · webhooks have a{' '}
              <Link to="/webhooks">screen of their own</Link>.
            </p>
            <SettingsForm key={result.id} organization={result} />
            <Snippet organization={result} />
          </>
        )}
      </Loaded>
    </>
  );
}
