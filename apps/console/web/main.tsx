import { render } from 'preact';
import './style/tokens.css';
import './style/base.css';
import './style/parts.css';
import './style/screens.css';
import './style/studio.css';
import './style/explorer.css';
import './style/frame.css';
import { takeInvitationOfAddress } from './api/invitation.js';
import { readServiceOrigin } from './api/service.js';
import { renewSessions } from './api/renew-session.js';
import { takeTokenOfAddress } from './api/session.js';
import { takeSignOnOfAddress } from './api/sign-on.js';
import { App } from './app.js';

const token = takeTokenOfAddress();
const invitation = takeInvitationOfAddress();
const signOn = takeSignOnOfAddress();
const root = document.getElementById('app');
if (root)
  readServiceOrigin().then(
    () => {
      renewSessions();
      root.replaceChildren();
      render(<App token={token} signOn={signOn} invitation={invitation} />, root);
    },
    (error: unknown) => {
      root.textContent = `The console could not read where the service is. Reload the page. (${String(error)})`;
    },
  );
