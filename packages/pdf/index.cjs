// Each part is loaded when it is read: pdfkit takes 200 ms, and laying out a line needs none of it.
module.exports = {
  get Document() {
    return require("pdfkit");
  },
  get bidi() {
    return require("bidi-js")();
  },
  fonts: {
    get regular() {
      return require.resolve("@fontsource/dejavu-sans/files/dejavu-sans-latin-400-normal.woff");
    },
    get bold() {
      return require.resolve("@fontsource/dejavu-sans/files/dejavu-sans-latin-700-normal.woff");
    },
    get wide() {
      return require.resolve("@fontsource/unifont/files/unifont-latin-400-normal.woff");
    },
  },
};
