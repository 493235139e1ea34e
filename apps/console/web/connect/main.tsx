import { render } from 'preact';
import '../style/tokens.css';
import '../style/base.css';
import '../style/parts.css';
import '../style/screens.css';
import './connect.css';
import { ConnectPage } from './connect-page.js';
import { enter } from './entry.js';
import { applyTheme } from './theme.js';

applyTheme();
enter(); // before the first task of the page ends, so that no message of the host is missed
const root = document.getElementById('app');
if (root) render(<ConnectPage />, root);
