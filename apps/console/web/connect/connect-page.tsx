import { useEffect } from 'preact/hooks';
import { Announcements } from '../parts/announce.js';
import { FormWordsContext } from '../parts/form-words.js';
import { hello, notice, session } from './session.js';
import { tell } from './host.js';
import { leave } from './leave.js';
import { NoticeView } from './notice.js';
import { shownProvider, Steps } from './steps.js';
import { helpFor, logo, theme } from './theme.js';
import { fill, formWords, words } from './words.js';

/** The whole page: a head with the host's name, and a notice or the steps. */
export function ConnectPage() {
  const product = theme.value.product_name ?? '';
  const { title, titleFor, help, close } = words.value;
  const address = helpFor(shownProvider.value);
  const isDialog = hello.value?.isDialog === true;
  useEffect(() => {
    document.title = product === '' ? title : fill(titleFor, { product });
  }, [product, title, titleFor]);
  return (
    <FormWordsContext.Provider value={formWords.value}>
      <div class="page">
        <header class="head">
          <strong dir="auto">
            {logo.value && <img class="logo" src={logo.value} alt="" />}
            {product}
          </strong>
          {address && (
            <a href={address} target="_blank" rel="noopener noreferrer">
              {help}
            </a>
          )}
          {isDialog && (
            <button type="button" class="quiet" aria-label={close} title={close} onClick={cancel}>
              <svg viewBox="0 0 16 16" aria-hidden="true">
                <path d="m3 3 10 10M13 3 3 13" />
              </svg>
            </button>
          )}
          {!isDialog && <Back />}
        </header>
        <main aria-busy={notice.value?.kind === 'loading'}>
          {notice.value && session.value === undefined ? (
            <NoticeView notice={notice.value} />
          ) : (
            <Steps />
          )}
        </main>
        <Announcements />
      </div>
    </FormWordsContext.Provider>
  );
}

function cancel(): void {
  tell({ type: 'closed', reason: 'cancelled' });
}

/** The way back to the page of the host, for sessions that return. */
function Back() {
  const product = theme.value.product_name;
  const { back, backTo } = words.value;
  if (!session.value?.return_url) return null;
  return (
    <button type="button" class="quiet" onClick={() => leave('cancelled')}>
      {product ? fill(backTo, { product }) : back}
    </button>
  );
}
