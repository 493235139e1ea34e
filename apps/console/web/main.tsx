import { render } from 'preact';
import './style/tokens.css';
import './style/base.css';
import './style/parts.css';
import './style/screens.css';
import './style/frame.css';
import { takeTokenOfAddress } from './api/session.js';
import { App } from './app.js';

const token = takeTokenOfAddress();
const root = document.getElementById('app');
if (root) {
  root.replaceChildren();
  render(<App token={token} />, root);
}
