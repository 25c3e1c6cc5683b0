import { Api, Refusal } from "./api.ts";
import { type Child, fill } from "./dom.ts";
import { loginScreen } from "./login-screen.ts";
import { codeOfLink, forgetSession, keepSession, keptSession, type Session } from "./session.ts";
import { runShell } from "./shell.ts";
import { failure } from "./view.ts";

void begin();

/** Logs in by the link this was opened with, goes on with the session there is, or tells how to get one. */
async function begin(): Promise<void> {
  const code = codeOfLink(location.hash);
  if (code === null) return resume(keptSession(localStorage));
  // Out of the address and the history first: the code is used up either way.
  history.replaceState(null, "", "/");
  try {
    const session = await new Api(null, "viewer", () => undefined).call("login", { body: { code } });
    keepSession(localStorage, session);
    runShell(session, leave);
  } catch (error) {
    showLogin(failure(error));
  }
}

async function resume(session: Session | null): Promise<void> {
  if (session === null) return showLogin(null);
  try {
    await new Api(session.key, session.role, () => undefined).call("whoAmI");
    runShell(session, leave);
  } catch (error) {
    const isOver = error instanceof Refusal && error.problem.status === 401;
    if (isOver) leave(null);
    else showLogin(failure(error));
  }
}

function leave(problem: Child): void {
  forgetSession(localStorage);
  showLogin(problem);
}

function showLogin(problem: Child): void {
  fill(document.body, loginScreen(problem));
  // A link that is opened where the page is open already only changes what follows the #.
  addEventListener("hashchange", () => location.reload(), { once: true });
}
