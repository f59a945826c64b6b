//! One convolution of a graph, and the nodes that compute it in another way (see [`super::faster`]).

use super::error::OcrError;
use super::graph::{constant, constant_ints, int, ints, unexpected};
use super::onnx::{Attribute, AttributeType, Node};

/// A convolution with its numbers at hand.
pub(super) struct Conv {
    pub weight: Vec<f32>,
    /// Output channels, input channels of a group, height, width.
    pub dims: [usize; 4],
    pub bias: Vec<f32>,
    pub strides: [usize; 2],
    /// Top, left, bottom, right.
    pub pads: [usize; 4],
    pub group: usize,
}

/// `x * scale + shift`.
#[derive(Clone, Copy)]
pub(super) struct Affine {
    pub scale: f32,
    pub shift: f32,
}

impl Conv {
    pub fn output_height(&self, input: usize) -> usize {
        (input + self.pads[0] + self.pads[2] - self.dims[2]) / self.strides[0] + 1
    }

    /// Whether each channel is convolved by itself.
    pub fn is_depthwise(&self) -> bool {
        self.group > 1 && self.group == self.dims[0] && self.dims[1] == 1
    }

    /// Weights of one output channel.
    fn per_channel(&self) -> usize {
        self.dims[1] * self.dims[2] * self.dims[3]
    }

    /// The convolution that gives `self(x) * after.scale + after.shift`.
    pub fn then(&mut self, after: Affine) {
        self.weight.iter_mut().for_each(|w| *w *= after.scale);
        self.bias.iter_mut().for_each(|b| *b = *b * after.scale + after.shift);
    }
}

/// A convolution of `x * before.scale + before.shift`, otherwise like `node`.
pub(super) fn plain(
    conv: &Conv,
    before: Affine,
    node: &Node,
    input: &str,
    output: &str,
) -> Result<Vec<Node>, OcrError> {
    if before.shift != 0.0 && conv.pads != [0; 4] {
        return Err(unexpected("a padded convolution cannot take in a shift"));
    }
    let bias: Vec<f32> = conv
        .bias
        .iter()
        .zip(conv.weight.chunks_exact(conv.per_channel()))
        .map(|(b, w)| b + before.shift * w.iter().sum::<f32>())
        .collect();
    let weight: Vec<f32> = conv.weight.iter().map(|w| w * before.scale).collect();
    let (w, b) = (format!("{output}.weight"), format!("{output}.bias"));
    let mut next = op("Conv", &[input, &w, &b], output, node.attribute.clone());
    next.name.clone_from(&node.name);
    Ok(vec![constant(&w, &conv.dims.map(dim), &weight), constant(&b, &[dim(bias.len())], &bias), next])
}

/// A depthwise convolution of `x * before.scale + before.shift` over rows that have become channels.
///
/// `x` with `channels` of `height` rows is seen as `channels * height` channels of one row; the convolution
/// then has one group per old channel and a kernel of one row.
pub(super) fn over_rows(conv: &Conv, before: Affine, height: usize, input: &str, output: &str) -> Vec<Node> {
    let [channels, _, tall, wide] = conv.dims;
    let [top, left, _, right] = conv.pads;
    let rows = conv.output_height(height);
    let mut weight = vec![0.0; channels * rows * height * wide];
    let mut bias = vec![0.0; channels * rows];
    for c in 0..channels {
        for row in 0..rows {
            let b = &mut bias[c * rows + row];
            *b = conv.bias[c];
            for ky in 0..tall {
                let Some(y) = (row * conv.strides[0] + ky).checked_sub(top).filter(|y| *y < height) else { continue };
                for kx in 0..wide {
                    let w = conv.weight[(c * tall + ky) * wide + kx];
                    weight[((c * rows + row) * height + y) * wide + kx] = w * before.scale;
                    *b += w * before.shift;
                }
            }
        }
    }
    let name = |part: &str| format!("{output}.{part}");
    let (w, b, flat, flatter, result, shape) =
        (name("weight"), name("bias"), name("flat"), name("flatter"), name("result"), name("shape"));
    let mut nodes = vec![
        constant(&w, &[dim(channels * rows), dim(height), 1, dim(wide)], &weight),
        constant(&b, &[dim(channels * rows)], &bias),
        constant_ints(&flatter, &[0, dim(channels * height), 1, -1]),
        constant_ints(&shape, &[0, dim(channels), dim(rows), -1]),
        op("Reshape", &[input, &flatter], &flat, Vec::new()),
    ];
    // What the zeros of the padding were before the shift.
    let edge = -before.shift / before.scale;
    let mut source = flat;
    let mut sides = [dim(left), dim(right)];
    if edge.abs() > 1e-3 {
        let padded = name("padded");
        let value = Attribute {
            name: Some("value".to_owned()),
            f: Some(edge),
            r#type: Some(AttributeType::Float.into()),
            ..Attribute::default()
        };
        let pads = ints("pads", &[0, 0, 0, sides[0], 0, 0, 0, sides[1]]);
        nodes.push(op("Pad", &[&source], &padded, vec![pads, value]));
        source = padded;
        sides = [0, 0];
    }
    let attributes = vec![
        ints("dilations", &[1, 1]),
        ints("kernel_shape", &[1, dim(wide)]),
        ints("strides", &[1, dim(conv.strides[1])]),
        int("group", dim(channels)),
        ints("pads", &[0, sides[0], 0, sides[1]]),
    ];
    nodes.push(op("Conv", &[&source, &w, &b], &result, attributes));
    nodes.push(op("Reshape", &[&result, &shape], output, Vec::new()));
    nodes
}

/// An operator with one output, named after it.
pub(super) fn op(kind: &str, input: &[&str], output: &str, attribute: Vec<Attribute>) -> Node {
    Node {
        input: input.iter().map(|s| (*s).to_owned()).collect(),
        output: vec![output.to_owned()],
        name: Some(output.to_owned()),
        op_type: Some(kind.to_owned()),
        attribute,
        ..Node::default()
    }
}

fn dim(size: usize) -> i64 {
    i64::try_from(size).unwrap_or(i64::MAX)
}
