import { hello, keepForReload, notice, openSession, setAddressLocale } from './session.js';
import { isFramed, waitForHello } from './host.js';
import { wantedAppearance } from './theme.js';
import { speak } from './words.js';

/** How long a page that frames this one has to give it a session. */
const maxHelloMs = 15_000;

/** Opens the page in the way that its address and its place say: in a frame, by a link, or by a session in the fragment. */
export function enter(): void {
  const address = new URLSearchParams(location.hash.slice(1));
  const { session: kept } = (history.state ?? {}) as { session?: string };
  const [given, link] = [address.get('session') ?? kept, address.get('link')];
  setAddressLocale(address.get('locale') ?? undefined);
  if (isFramed) enterFrame();
  else if (link !== null) {
    // It stays in the address: a reload before somebody has begun must not lose it.
    void speak([address.get('locale'), ...navigator.languages]);
    notice.value = { kind: 'start', link };
  } else if (given === undefined) {
    void speak([address.get('locale'), ...navigator.languages]);
    notice.value = { kind: 'ended' };
  } else {
    keepForReload(given);
    void openSession(given);
  }
}

function enterFrame(): void {
  const timer = window.setTimeout(() => {
    notice.value = { kind: 'misplaced' };
  }, maxHelloMs);
  waitForHello(
    (given) => {
      window.clearTimeout(timer);
      hello.value = given;
      wantedAppearance.value = given.appearance;
      void openSession(given.session);
    },
    (session) => void openSession(session),
  );
}
