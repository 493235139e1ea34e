// Stands for the AsyncLocalStorage in which Jest's framework keeps the running test, and of which each spec file loads a new one. The real
// one makes Node call a hook for every promise of the process, also of the product, and every storage of a file that has ended costs again.
// Tests run one after another (`test.concurrent` is not used), so the running test is known without it; an error that a test leaves
// behind fails the test that runs then.
export class SequentialStorage {
  #store;

  getStore() {
    return this.#store;
  }

  run(store, callback) {
    const before = this.#store;
    const restore = () => {
      this.#store = before;
    };
    this.#store = store;
    let result;
    try {
      result = callback();
    } catch (error) {
      restore();
      throw error;
    }
    if (typeof result?.then !== 'function') restore();
    else void result.then(restore, restore);
    return result;
  }
}
