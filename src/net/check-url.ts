/** What is wrong with the text of an address to send to, in words that follow "expected"; null when nothing is. */
export function urlProblem(text: string): string | null {
  // URL takes `http:10.0.0.1` and `http:\\10.0.0.1`, and drops line breaks and tabs without a word: where the request
  // goes would not be what a reader sees.
  if (!URL.canParse(text) || !/^https?:\/\/[^/\\]/i.test(text) || /[\p{Cc}\s\\]/u.test(text)) {
    return "an http or https address";
  }
  // They would stand in the record and in logs, and `http://public.example@10.0.0.1` looks like another host.
  if (/^[^/]*\/\/[^/?#]*@/.test(text))
    return "an address without a user name; a header can carry credentials";
  return null;
}

/** The host of an address as it is connected to: without the brackets of an IPv6 literal. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}
